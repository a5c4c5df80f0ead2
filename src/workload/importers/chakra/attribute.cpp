#include "workload/importers/chakra/attribute.hpp"

#include "base/text.hpp"

#include <cmath>
#include <cstring>

namespace trainyard {

namespace {

using Wire = WireReader::Type;

template <typename Real, typename Bits>
double as_real(std::uint64_t number) {
  const auto bits = static_cast<Bits>(number);
  Real value;
  std::memcpy(&value, &bits, sizeof value);
  return static_cast<double>(value);
}

std::int64_t zigzag(std::uint64_t n) {
  return static_cast<std::int64_t>(n >> 1) ^ -static_cast<std::int64_t>(n & 1);
}

// The numbers of AttributeProto's fields; each + 1 is the list of that type.
enum : std::uint32_t {
  kName = 1,
  kDouble = 3,
  kFloat = 5,
  kInt32 = 7,
  kInt64 = 9,
  kUint32 = 11,
  kUint64 = 13,
  kSint32 = 15,
  kSint64 = 17,
  kFixed32 = 19,
  kFixed64 = 21,
  kSfixed32 = 23,
  kSfixed64 = 25,
  kBool = 27,
  kBoolList = 28,
  kString = 29,
  kBytes = 31
};

std::vector<bool> read_flags(WireBytes list) {
  std::vector<bool> flags;
  WireReader reader(list);
  while (reader.next()) {
    if (reader.field() != 1) continue;
    if (reader.type() == Wire::Varint) flags.push_back(reader.number() != 0);
    if (reader.type() != Wire::Length) continue;
    WireReader packed(reader.held());
    while (!packed.at_end()) flags.push_back(packed.varint() != 0);
  }
  return flags;
}

}  // namespace

ChakraAttribute read_chakra_attribute(WireBytes message) {
  ChakraAttribute attribute;
  WireReader reader(message);
  while (reader.next()) switch (reader.field()) {
      case kName:
        attribute.name = reader.held().bytes;
        break;
      case kDouble:
        attribute.real = as_real<double, std::uint64_t>(reader.number());
        break;
      case kFloat:
        attribute.real = as_real<float, std::uint32_t>(reader.number());
        break;
      case kSint32:
      case kSint64:
        attribute.integer = zigzag(reader.number());
        break;
      case kSfixed32:
        attribute.integer = static_cast<std::int32_t>(static_cast<std::uint32_t>(reader.number()));
        break;
      case kInt32:
      case kInt64:
      case kUint32:
      case kUint64:
      case kFixed32:
      case kFixed64:
      case kSfixed64:
      case kBool:
        attribute.integer = static_cast<std::int64_t>(reader.number());
        break;
      case kBoolList:
        attribute.flags = read_flags(reader.held());
        break;
      case kString:
      case kBytes:
        attribute.text = reader.held().bytes;
        attribute.integer = parse_integer(attribute.text);
        break;
      default:
        break;  // doc_string, and lists that nobody reads
    }
  return attribute;
}

std::optional<std::int64_t> whole_number(const ChakraAttribute& attribute) {
  if (attribute.integer) return attribute.integer;
  constexpr double kExact = 9007199254740992.0;  // up to here every whole number is a double
  if (attribute.real && std::abs(*attribute.real) <= kExact)
    return static_cast<std::int64_t>(*attribute.real);
  return std::nullopt;
}

}  // namespace trainyard

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
  NameField = 1,
  DoubleField = 3,
  FloatField = 5,
  Int32Field = 7,
  Int64Field = 9,
  Uint32Field = 11,
  Uint64Field = 13,
  Sint32Field = 15,
  Sint64Field = 17,
  Fixed32Field = 19,
  Fixed64Field = 21,
  Sfixed32Field = 23,
  Sfixed64Field = 25,
  BoolField = 27,
  BoolListField = 28,
  StringField = 29,
  BytesField = 31
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

// Of a field that holds a number, but no double or float.
std::optional<std::int64_t> integer_of(const WireReader& reader) {
  switch (reader.field()) {
    case Sint32Field:
    case Sint64Field:
      return zigzag(reader.number());
    case Sfixed32Field:
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(reader.number()));
    case Int32Field:
    case Int64Field:
    case Uint32Field:
    case Uint64Field:
    case Fixed32Field:
    case Fixed64Field:
    case Sfixed64Field:
    case BoolField:
      return static_cast<std::int64_t>(reader.number());
    default:
      return std::nullopt;  // doc_string, and lists that nobody reads
  }
}

}  // namespace

ChakraAttribute read_chakra_attribute(WireBytes message) {
  ChakraAttribute attribute;
  WireReader reader(message);
  while (reader.next()) switch (reader.field()) {
      case NameField:
        attribute.name = reader.held().bytes;
        break;
      case DoubleField:
        attribute.real = as_real<double, std::uint64_t>(reader.number());
        break;
      case FloatField:
        attribute.real = as_real<float, std::uint32_t>(reader.number());
        break;
      case BoolListField:
        attribute.flags = read_flags(reader.held());
        break;
      case StringField:
      case BytesField:
        attribute.text = reader.held().bytes;
        attribute.integer = parse_integer(attribute.text);
        break;
      default:
        if (const auto integer = integer_of(reader)) attribute.integer = integer;
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

#include "workload/importers/chakra/node.hpp"

#include "base/text.hpp"

#include <cmath>
#include <cstring>

namespace trainyard {

namespace {

using Wire = WireReader::Type;

// An attribute's value, whatever type its writer chose.
struct Attribute {
  std::string_view name;
  std::optional<double> real;           // double, float
  std::optional<std::int64_t> integer;  // every integer type, bool, and text that is one
  std::string_view text;                // string, bytes
  std::vector<bool> flags;              // list of bool
};

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

Attribute read_attribute(WireBytes message) {
  Attribute attribute;
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

std::optional<std::int64_t> whole_number(const Attribute& attribute) {
  if (attribute.integer) return attribute.integer;
  constexpr double kExact = 9007199254740992.0;  // up to here every whole number is a double
  if (attribute.real && std::abs(*attribute.real) <= kExact)
    return static_cast<std::int64_t>(*attribute.real);
  return std::nullopt;
}

void read_fact(const Attribute& attribute, ChakraNode& node) {
  const auto set = [&](std::optional<std::int64_t>& fact) { fact = whole_number(attribute); };
  const std::string_view name = attribute.name;
  if (name == "is_cpu_op") {
    if (const auto flag = whole_number(attribute)) node.on_cpu = *flag != 0;
  } else if (name == "num_ops") {
    set(node.operations);
  } else if (name == "tensor_size") {
    set(node.tensor_bytes);
  } else if (name == "comm_type") {
    set(node.comm_type);
  } else if (name == "comm_size") {
    set(node.comm_bytes);
  } else if (name == "comm_src") {
    set(node.from);
  } else if (name == "comm_dst") {
    set(node.to);
  } else if (name == "comm_tag") {
    set(node.tag);
  } else if (name == "tid" || name == "stream") {
    set(node.stream);
  } else if (name == "runtime" && node.duration_us == 0) {
    node.duration_us = whole_number(attribute).value_or(0);
  } else if (name == "pg_name" || name == "comm_group") {
    node.group = attribute.text.empty() && attribute.integer ? std::to_string(*attribute.integer)
                                                             : std::string(attribute.text);
  } else if (name == "involved_dim") {
    for (const bool involved : attribute.flags) node.some_dimensions |= !involved;
  }
}

void read_dependencies(const WireReader& reader, std::vector<std::int64_t>& dependencies) {
  if (reader.type() == Wire::Varint)
    dependencies.push_back(static_cast<std::int64_t>(reader.number()));
  if (reader.type() != Wire::Length) return;
  WireReader packed(reader.held());
  while (!packed.at_end()) dependencies.push_back(static_cast<std::int64_t>(packed.varint()));
}

std::string values_of(WireBytes io_info) {
  WireReader reader(io_info);
  while (reader.next())
    if (reader.field() == 1 && reader.type() == Wire::Length)
      return std::string(reader.held().bytes);
  return "";
}

constexpr std::uint64_t kLastType = 7;

}  // namespace

ChakraNode read_chakra_node(WireBytes message) {
  ChakraNode node;
  WireReader reader(message);
  WireBytes inputs;
  while (reader.next()) switch (reader.field()) {
      case 1:
        node.id = static_cast<std::int64_t>(reader.number());
        break;
      case 2:
        node.name = std::string(reader.held().bytes);
        break;
      case 3:
        if (reader.number() > kLastType)
          reader.fail("node type " + std::to_string(reader.number()) + ", known are 0 to 7");
        node.type = static_cast<ChakraNodeType>(reader.number());
        break;
      case 4:
        read_dependencies(reader, node.control_deps);
        break;
      case 5:
        read_dependencies(reader, node.data_deps);
        break;
      case 6:
        node.start_us = static_cast<std::int64_t>(reader.number());
        break;
      case 7:
        node.duration_us = static_cast<std::int64_t>(reader.number());
        break;
      case 8:
        inputs = reader.held();
        break;
      case 10:
        read_fact(read_attribute(reader.held()), node);
        break;
      default:
        break;
    }
  if (node.name.find("process_group") != std::string::npos && inputs.file != nullptr)
    node.input_values = values_of(inputs);
  return node;
}

bool is_chakra_metadata(WireBytes message) {
  WireReader reader(message);
  while (reader.next())
    if (reader.field() > 2 || reader.type() != Wire::Length) return false;
  return true;
}

std::string chakra_version(WireBytes metadata) {
  WireReader reader(metadata);
  std::string schema;
  while (reader.next()) {
    if (reader.field() == 1 && reader.type() == Wire::Length) return printable(reader.held().bytes);
    if (reader.field() != 2 || reader.type() != Wire::Length) continue;
    const Attribute attribute = read_attribute(reader.held());
    if (attribute.name == "schema") schema = printable(attribute.text);
  }
  return schema;
}

}  // namespace trainyard

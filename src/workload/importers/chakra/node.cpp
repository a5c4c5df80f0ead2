#include "workload/importers/chakra/node.hpp"

#include "base/text.hpp"
#include "workload/importers/chakra/attribute.hpp"

namespace trainyard {

namespace {

using Wire = WireReader::Type;

void read_fact(const ChakraAttribute& attribute, ChakraNode& node) {
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
        read_fact(read_chakra_attribute(reader.held()), node);
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
    const ChakraAttribute attribute = read_chakra_attribute(reader.held());
    if (attribute.name == "schema") schema = printable(attribute.text);
  }
  return schema;
}

}  // namespace trainyard

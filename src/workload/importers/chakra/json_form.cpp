#include "workload/importers/chakra/json_form.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "workload/importers/chrome/inflating_buffer.hpp"

#include <istream>
#include <nlohmann/json.hpp>

namespace trainyard {

namespace {

using Json = nlohmann::json;

class JsonNode {
public:
  JsonNode(const std::string& file, std::size_t number, const Json& json)
      : file_(file), number_(number), json_(json) {
    if (!json.is_object()) fail("is no object");
  }

  // The first of the names that is there.
  std::optional<std::int64_t> integer(const std::vector<const char*>& names) const {
    for (const char* name : names) {
      const auto found = json_.find(name);
      if (found == json_.end()) continue;
      if (found->is_boolean()) return found->get<bool>() ? 1 : 0;
      if (found->is_number_integer()) return found->get<std::int64_t>();
      if (found->is_string())
        if (const auto number = parse_integer(found->get_ref<const std::string&>())) return number;
      fail(std::string(name) + " must be a whole number");
    }
    return std::nullopt;
  }

  std::vector<std::int64_t> integers(const std::vector<const char*>& names) const {
    std::vector<std::int64_t> result;
    for (const char* name : names) {
      const auto found = json_.find(name);
      if (found == json_.end()) continue;
      if (!found->is_array()) fail(std::string(name) + " must be a list");
      for (const Json& id : *found) {
        if (!id.is_number_integer()) fail(std::string(name) + " must list whole numbers");
        result.push_back(id.get<std::int64_t>());
      }
    }
    return result;
  }

  std::optional<std::string> text(const std::vector<const char*>& names) const {
    for (const char* name : names) {
      const auto found = json_.find(name);
      if (found != json_.end() && found->is_string()) return found->get<std::string>();
    }
    return std::nullopt;
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError({file_}, "workload_graph[" + std::to_string(number_) + "]", problem);
  }

private:
  const std::string& file_;
  std::size_t number_;
  const Json& json_;
};

ChakraNode node_of(const JsonNode& json) {
  ChakraNode node;
  const auto id = json.integer({"Id", "id"});
  if (!id) json.fail("has no Id");
  node.id = *id;
  node.name = json.text({"Name", "name"}).value_or("");
  const std::int64_t type = json.integer({"NodeType", "type"}).value_or(0);
  if (type < 0 || type > 7) json.fail("NodeType " + std::to_string(type) + ", known are 0 to 7");
  node.type = static_cast<ChakraNodeType>(type);
  node.data_deps = json.integers({"data_deps"});
  node.control_deps = json.integers({"ctrlDeps", "ctrl_deps"});
  node.start_us = json.integer({"start_time", "start_time_micros"}).value_or(0);
  node.duration_us = json.integer({"runtime", "duration_micros"}).value_or(0);
  if (const auto flag = json.integer({"is_cpu_op"})) node.on_cpu = *flag != 0;
  node.operations = json.integer({"num_ops"});
  node.tensor_bytes = json.integer({"tensor_size"});
  node.comm_type = json.integer({"comm_type"});
  node.comm_bytes = json.integer({"comm_size"});
  node.from = json.integer({"comm_src"});
  node.to = json.integer({"comm_dst"});
  node.tag = json.integer({"comm_tag"});
  node.stream = json.integer({"stream", "tid"});
  node.group = json.text({"pg_name", "comm_group"});
  return node;
}

}  // namespace

ChakraFile read_chakra_json_file(const std::string& file) {
  InflatingBuffer buffer(file);
  std::istream input(&buffer);
  Json json;
  try {
    json = Json::parse(input);
  } catch (const Json::exception& error) {
    throw InputError({file}, "", "no valid JSON: " + printable(error.what(), 200));
  }
  if (!json.is_object() || !json.contains("workload_graph") || !json["workload_graph"].is_array())
    throw InputError({file}, "", "holds no list \"workload_graph\"");
  ChakraFile result;
  for (std::size_t i = 0; i < json["workload_graph"].size(); ++i)
    result.nodes.push_back(node_of(JsonNode(file, i, json["workload_graph"][i])));
  return result;
}

}  // namespace trainyard

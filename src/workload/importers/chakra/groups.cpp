#include "workload/importers/chakra/groups.hpp"

#include "base/error.hpp"
#include "workload/importers/chrome/inflating_buffer.hpp"

#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>

namespace trainyard {

namespace {

using Json = nlohmann::json;

constexpr int kMostRanks = 1 << 20;

bool is_rank(const Json& value) {
  return value.is_number_integer() && value.get<std::int64_t>() >= 0 &&
         value.get<std::int64_t>() < kMostRanks;
}

bool are_ranks(const Json& list) {
  return list.is_array() && std::all_of(list.begin(), list.end(), is_rank);
}

}  // namespace

ChakraGroups read_chakra_groups(const std::string& file) {
  InflatingBuffer buffer(file);
  std::istream input(&buffer);
  const Json json = Json::parse(input, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) throw InputError({file}, "", "is no JSON object of groups");
  ChakraGroups groups;
  for (const auto& [name, ranks] : json.items()) {
    if (!are_ranks(ranks) || ranks.empty())
      throw InputError({file}, name, "must be a list of ranks");
    groups[name] = ranks.get<std::vector<int>>();
    std::vector<int> sorted = groups[name];
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      throw InputError({file}, name, "names a rank twice");
  }
  return groups;
}

void add_listed_groups(const std::string& values, ChakraGroups& groups) {
  Json json = Json::parse(values, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) {  // Python's quotes around JSON's: ['[{"pg_name": ...}]']
    const std::size_t begin = values.find("[{"), end = values.rfind("}]");
    if (begin == std::string::npos || end == std::string::npos || end < begin) return;
    json = Json::parse(values.substr(begin, end + 2 - begin), nullptr, /*allow_exceptions=*/false);
  }
  if (json.is_array() && json.size() == 1 && json[0].is_string())
    json = Json::parse(json[0].get<std::string>(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_array()) return;
  for (const Json& group : json)
    if (group.is_object() && group.contains("pg_name") && group["pg_name"].is_string() &&
        group.contains("ranks") && are_ranks(group["ranks"]))
      groups.insert({group["pg_name"].get<std::string>(), group["ranks"].get<std::vector<int>>()});
}

int highest_rank(const ChakraGroups& groups) {
  int highest = -1;
  for (const auto& [name, ranks] : groups)
    for (const int rank : ranks) highest = std::max(highest, rank);
  return highest;
}

}  // namespace trainyard

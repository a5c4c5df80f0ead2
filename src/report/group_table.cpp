#include "report/group_table.hpp"

#include "base/text.hpp"
#include "report/groups.hpp"
#include "report/progress.hpp"
#include "report/table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace trainyard {

namespace {

constexpr std::size_t kMostOfAKind = 4;

struct Group {
  std::string name;
  std::map<std::string, double> values;  // of groups.csv
};

std::string duration(double value) {
  if (!std::isfinite(value)) return "-";
  return value < 60 ? fixed(value, 1) + " s" : in_words(seconds(value));
}

void add(const Group& group, double all_gpu_seconds, Table& table) {
  const auto value = [&group](const char* name) { return group.values.at(name); };
  const double slowdown = value("mean_bounded_slowdown");
  table.add({group.name, fixed(value("jobs"), 0), fixed(value("completed"), 0),
             duration(value("mean_wait_s")), duration(value("p95_wait_s")),
             std::isfinite(slowdown) ? fixed(slowdown, 2) : "-",
             fixed(100 * value("allocated_gpu_s") / all_gpu_seconds, 1) + " %",
             duration(value("mean_contention_delay_s"))});
}

// The largest, in the order of the file.
std::vector<Group> largest(std::vector<Group> groups) {
  std::vector<double> sizes;
  sizes.reserve(groups.size());
  for (const Group& group : groups) sizes.push_back(group.values.at("allocated_gpu_s"));
  if (sizes.size() <= kMostOfAKind) return groups;
  std::nth_element(sizes.begin(), sizes.begin() + kMostOfAKind - 1, sizes.end(), std::greater<>());
  const double least = sizes[kMostOfAKind - 1];
  std::vector<Group> kept;
  for (Group& group : groups)
    if (group.values.at("allocated_gpu_s") >= least && kept.size() < kMostOfAKind)
      kept.push_back(std::move(group));
  return kept;
}

}  // namespace

std::string group_table(const Platform& platform, const EventLog& log) {
  const Books books(platform, log);
  std::vector<std::pair<std::string, std::vector<Group>>> kinds;
  double all = 0;
  for (const AttemptRecord& a : log.attempts)
    all +=
        static_cast<double>(a.allocation.gpus.size()) * in_seconds(a.end - a.start - a.suspended);
  for (const JobGroup& group : job_groups(log)) {
    if (kinds.empty() || kinds.back().first != group.kind)
      kinds.emplace_back(group.kind, std::vector<Group>());
    Group row{group.kind + " " + group.name, {}};
    for (const GroupColumn& column : group_row(group, books))
      row.values[column.name] = column.value;
    kinds.back().second.push_back(std::move(row));
  }
  Table table({{"group", Align::Left},
               {"jobs", Align::Right},
               {"done", Align::Right},
               {"mean wait", Align::Right},
               {"95 %", Align::Right},
               {"slowdown", Align::Right},
               {"of GPU time", Align::Right},
               {"contention a job", Align::Right}});
  bool several = false;
  for (const auto& [kind, groups] : kinds) {
    if (groups.size() < 2 || all <= 0) continue;
    several = true;
    for (const Group& group : largest(groups)) add(group, all, table);
  }
  return several ? table.text() : "";
}

}  // namespace trainyard

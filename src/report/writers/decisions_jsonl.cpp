// decisions.jsonl: what the scheduler decided or heard, a JSON object a line, in the order of time.
//
// The first line says what the cluster is: its nodes and their GPUs. GPUs of a start are
// "node0:0-7". What is empty is left out.
#include "report/metrics.hpp"
#include "report/writers/csv.hpp"
#include "report/writers/labels.hpp"
#include "report/writers/writers.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

namespace trainyard {

namespace {

using Json = nlohmann::ordered_json;

void write_line(const Json& line, std::ostream& out) {
  out << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

Json cluster_of(const Platform& platform) {
  Json nodes = Json::array();
  for (const Node& node : platform.nodes) nodes.push_back({node.name, node.gpus});
  return {{"nodes", nodes}};
}

Json places_of(const Platform& platform, const Allocation& allocation) {
  std::map<NodeId, std::vector<std::int32_t>> by_node;
  for (const GpuId gpu : allocation.gpus) {
    const NodeId node = platform.gpus[gpu.index()].node;
    by_node[node].push_back(gpu.value() - platform.nodes[node.index()].first_gpu.value());
  }
  Json places = Json::array();
  for (const auto& [node, gpus] : by_node)
    places.push_back(platform.nodes[node.index()].name + ":" + interval_set(gpus));
  return places;
}

Json row_of(const Report& report, const DecisionRecord& row,
            const std::vector<std::string>& labels) {
  Json line = {{"t_s", in_seconds(row.at)}};
  if (row.job.valid()) line["job"] = labels[row.job.index()];
  line["event"] = row.what;
  if (row.what == "submitted") {
    const Job& job = report.log.jobs[row.job.index()];
    line["gpus"] = job.gpus;
    if (job.limit < forever()) line["limit_s"] = in_seconds(job.limit);
    if (!job.sbatch.empty()) line["sbatch"] = job.sbatch;
  }
  for (const auto& [key, text] : {std::pair("reason", row.reason), std::pair("by", row.by),
                                  std::pair("factors", row.factors), std::pair("ahead", row.ahead)})
    if (!text.empty()) line[key] = text;
  if (row.priority != 0) line["priority"] = row.priority;
  if (!row.allocation.gpus.empty()) line["on"] = places_of(report.platform, row.allocation);
  return line;
}

}  // namespace

void write_decisions_jsonl(const Report& report, std::ostream& out) {
  const std::vector<std::string> labels = job_labels(report.log);
  write_line(cluster_of(report.platform), out);
  for (const DecisionRecord& row : report.log.history) write_line(row_of(report, row, labels), out);
}

}  // namespace trainyard

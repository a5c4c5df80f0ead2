#include "schedulers/process/messages.hpp"

#include "schedulers/process/protocol.hpp"

#include <nlohmann/json.hpp>

namespace trainyard {

namespace {

using Json = nlohmann::ordered_json;

Json numbers(const std::vector<GpuId>& gpus) {
  Json list = Json::array();
  for (const GpuId gpu : gpus) list.push_back(gpu.value());
  return list;
}

Json request_of(const Job& job, const ClusterView& view) {
  Json request = {{"id", job.id.value()}, {"name", job.name}, {"gpus", job.gpus}};
  request["gpus_per_block"] = job.gpus_per_block;
  request["limit_s"] = job.limit < forever() ? Json(in_seconds(job.limit)) : Json(nullptr);
  request["priority"] = job.priority;
  request["submit_s"] = in_seconds(job.submit);
  if (!job.sizes.empty()) request["sizes"] = job.sizes;
  const auto target = view.resizing.find(job.id);
  if (target != view.resizing.end()) request["resizing_to"] = target->second;
  return request;
}

Json started(const std::vector<RunningJob>& jobs, const ClusterView& view) {
  Json list = Json::array();
  for (const RunningJob& running : jobs) {
    Json job = request_of(*running.job, view);
    job["on"] = numbers(running.allocation->gpus);
    job["started_s"] = in_seconds(running.started);
    job["since_s"] = in_seconds(running.since);
    job["releasing"] = running.releasing;
    list.push_back(std::move(job));
  }
  return list;
}

Json free_by_node(const ClusterView& view) {
  Json nodes = Json::array();
  for (const Node& node : view.platform->nodes) {
    Json free = Json::array();
    for (int gpu = node.first_gpu.value(); gpu < node.first_gpu.value() + node.gpus; ++gpu)
      if ((*view.free)[GpuId(gpu).index()] != 0) free.push_back(gpu);
    nodes.push_back(std::move(free));
  }
  return nodes;
}

std::string as_line(const Json& message) {
  return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string hello_text(const Platform& platform) {
  Json nodes = Json::array();
  for (const Node& node : platform.nodes) {
    Json gpus = Json::array();
    for (int gpu = 0; gpu < node.gpus; ++gpu) gpus.push_back(node.first_gpu.value() + gpu);
    const Json leaf = node.leaf.valid() ? Json(node.leaf.value()) : Json(nullptr);
    nodes.push_back({{"name", node.name}, {"leaf", leaf}, {"gpus", gpus}});
  }
  return as_line({{"type", "hello"},
                  {"protocol", kProtocol},
                  {"platform", platform.name},
                  {"nodes", std::move(nodes)}});
}

std::string question_text(const ClusterView& view) {
  Json pending = Json::array();
  for (const Job* job : view.pending) pending.push_back(request_of(*job, view));
  return as_line({{"type", "decide"},
                  {"now_s", in_seconds(view.now)},
                  {"free", free_by_node(view)},
                  {"preemption_is_immediate", view.preemption_is_immediate},
                  {"pending", std::move(pending)},
                  {"running", started(view.running, view)},
                  {"suspended", started(view.suspended, view)}});
}

}  // namespace trainyard

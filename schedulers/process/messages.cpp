#include "schedulers/process/messages.hpp"

#include "base/text.hpp"
#include "schedulers/process/checked_plan.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace trainyard {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kProtocol = 1;

Json numbers(const std::vector<GpuId>& gpus) {
  Json list = Json::array();
  for (const GpuId gpu : gpus) list.push_back(gpu.value());
  return list;
}

Json request_of(const Job& job) {
  Json request = {{"id", job.id.value()}, {"name", job.name}, {"gpus", job.gpus}};
  request["gpus_per_block"] = job.gpus_per_block;
  request["limit_s"] = job.limit < forever() ? Json(in_seconds(job.limit)) : Json(nullptr);
  request["priority"] = job.priority;
  request["submit_s"] = in_seconds(job.submit);
  return request;
}

Json started(const std::vector<RunningJob>& jobs) {
  Json list = Json::array();
  for (const RunningJob& running : jobs) {
    Json job = request_of(*running.job);
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

Json parsed(const std::string& answer) {
  Json message = Json::parse(answer, nullptr, /*allow_exceptions=*/false);
  if (!message.is_object()) throw std::invalid_argument("it must be a JSON object on one line");
  return message;
}

void refuse_other_keys(const Json& object, const std::vector<std::string>& known) {
  for (const auto& [key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw std::invalid_argument("unknown key '" + key + "'" + suggestion(key, known));
}

JobId job_at(const Json& decision, const char* key) {
  const Json& id = decision.at(key);
  if (!id.is_number_integer())
    throw std::invalid_argument(std::string(key) + " must be a job's id");
  return JobId(id.get<std::int64_t>());
}

Allocation gpus_at(const Json& decision) {
  Allocation allocation;
  const Json& list = decision.at("gpus");
  if (!list.is_array()) throw std::invalid_argument("gpus must be a list of numbers");
  for (const Json& gpu : list) {
    if (!gpu.is_number_integer()) throw std::invalid_argument("gpus must be a list of numbers");
    allocation.gpus.emplace_back(gpu.get<std::int64_t>());
  }
  return allocation;
}

void add_decision(const Json& decision, CheckedPlan& plan) {
  if (!decision.is_object()) throw std::invalid_argument("must be an object");
  if (decision.contains("start")) {
    refuse_other_keys(decision, {"start", "gpus"});
    const JobId job = job_at(decision, "start");
    return decision.contains("gpus") ? plan.start_on(job, gpus_at(decision)) : plan.start(job);
  }
  if (decision.contains("preempt")) {
    refuse_other_keys(decision, {"preempt", "for"});
    if (!decision.contains("for")) throw std::invalid_argument("preempt needs 'for', a job's id");
    return plan.preempt(job_at(decision, "preempt"), job_at(decision, "for"));
  }
  const char* verb = decision.contains("suspend") ? "suspend" : "resume";
  if (!decision.contains(verb))
    throw std::invalid_argument("must have one of start, preempt, suspend, resume");
  refuse_other_keys(decision, {verb});
  const JobId job = job_at(decision, verb);
  return decision.contains("suspend") ? plan.suspend(job) : plan.resume(job);
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
  for (const Job* job : view.pending) pending.push_back(request_of(*job));
  return as_line({{"type", "decide"},
                  {"now_s", in_seconds(view.now)},
                  {"free", free_by_node(view)},
                  {"preemption_is_immediate", view.preemption_is_immediate},
                  {"pending", std::move(pending)},
                  {"running", started(view.running)},
                  {"suspended", started(view.suspended)}});
}

void check_hello(const std::string& answer) {
  const Json message = parsed(answer);
  refuse_other_keys(message, {"protocol"});
  if (!message.contains("protocol") || message["protocol"] != kProtocol)
    throw std::invalid_argument("'protocol' must be " + std::to_string(kProtocol));
}

Answer read_answer(const std::string& answer, const ClusterView& view, const Placement& placement) {
  const Json message = parsed(answer);
  refuse_other_keys(message, {"decisions", "wake_s"});
  if (!message.contains("decisions") || !message["decisions"].is_array())
    throw std::invalid_argument("'decisions' must be a list");
  CheckedPlan plan(view, placement);
  int index = 0;
  for (const Json& decision : message["decisions"]) {
    try {
      add_decision(decision, plan);
    } catch (const std::invalid_argument& problem) {
      throw std::invalid_argument("decisions[" + std::to_string(index) + "]: " + problem.what());
    }
    ++index;
  }
  Answer read{plan.take_decisions()};
  if (!message.contains("wake_s") || message["wake_s"].is_null()) return read;
  if (!message["wake_s"].is_number() || message["wake_s"] <= in_seconds(view.now))
    throw std::invalid_argument("'wake_s' must be a time that is still to come");
  read.wake = seconds(message["wake_s"].get<double>());
  return read;
}

}  // namespace trainyard

// What a policy outside the program answers: from JSON to decisions, each checked.
#include "base/text.hpp"
#include "schedulers/process/checked_plan.hpp"
#include "schedulers/process/messages.hpp"
#include "schedulers/process/protocol.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace trainyard {

namespace {

using Json = nlohmann::ordered_json;

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

// A number that can be an id or a count: of nothing less and nothing more.
int number_at(const Json& value, const std::string& what) {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  const bool in_range = value.is_number_unsigned()
                            ? value.get<std::uint64_t>() <= std::uint64_t{kMost}
                            : value.is_number_integer() && value.get<std::int64_t>() >= 0;
  if (!in_range) throw std::invalid_argument(what);
  return value.get<int>();
}

JobId job_at(const Json& decision, const char* key) {
  return JobId(number_at(decision.at(key), std::string(key) + " must be a job's id"));
}

int size_at(const Json& decision) {
  return number_at(decision.at("size"), "size must be a number of GPUs");
}

Allocation gpus_at(const Json& decision) {
  Allocation allocation;
  const Json& list = decision.at("gpus");
  if (!list.is_array()) throw std::invalid_argument("gpus must be a list of GPUs' numbers");
  for (const Json& gpu : list)
    allocation.gpus.emplace_back(number_at(gpu, "gpus must be a list of GPUs' numbers"));
  return allocation;
}

// Every decision there is: the key that makes it one, what else it may say, and what it does.
struct Verb {
  const char* name;
  std::vector<std::string> keys;
  void (*read)(const Json& decision, JobId job, CheckedPlan& plan);
};

void read_start(const Json& decision, JobId job, CheckedPlan& plan) {
  if (decision.contains("gpus") && decision.contains("size"))
    throw std::invalid_argument("start has 'gpus' or 'size', not both");
  if (decision.contains("gpus")) return plan.start_on(job, gpus_at(decision));
  if (decision.contains("size")) return plan.start_with(job, size_at(decision));
  plan.start(job);
}

void read_preempt(const Json& decision, JobId job, CheckedPlan& plan) {
  if (!decision.contains("for")) throw std::invalid_argument("preempt needs 'for', a job's id");
  plan.preempt(job, job_at(decision, "for"));
}

void read_suspend(const Json& /*decision*/, JobId job, CheckedPlan& plan) { plan.suspend(job); }
void read_resume(const Json& /*decision*/, JobId job, CheckedPlan& plan) { plan.resume(job); }

void read_resize(const Json& decision, JobId job, CheckedPlan& plan) {
  if (!decision.contains("size"))
    throw std::invalid_argument("resize needs 'size', a number of GPUs");
  plan.resize(job, size_at(decision));
}

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> table = {{"start", {"start", "gpus", "size"}, read_start},
                                          {"preempt", {"preempt", "for"}, read_preempt},
                                          {"suspend", {"suspend"}, read_suspend},
                                          {"resume", {"resume"}, read_resume},
                                          {"resize", {"resize", "size"}, read_resize}};
  return table;
}

void add_decision(const Json& decision, CheckedPlan& plan) {
  if (!decision.is_object()) throw std::invalid_argument("must be an object");
  const Verb* said = nullptr;
  std::vector<std::string> known;
  for (const Verb& verb : verbs()) {
    known.emplace_back(verb.name);
    if (!decision.contains(verb.name)) continue;
    if (said)
      throw std::invalid_argument(std::string("has two verbs, ") + said->name + " and " +
                                  verb.name + "; a decision has one");
    said = &verb;
  }
  if (!said) throw std::invalid_argument("must have one of " + join(known));
  refuse_other_keys(decision, said->keys);
  said->read(decision, job_at(decision, said->name), plan);
}

}  // namespace

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

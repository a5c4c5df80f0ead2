#include "workload/importers/straggler/timeline.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "workload/importers/chrome/events.hpp"
#include "workload/importers/straggler/timeline_shape.hpp"

#include <array>
#include <cstdio>
#include <fstream>
#include <map>

namespace trainyard {

namespace {

const std::array<const char*, kStragglerOps> kNames = {"forward-compute",
                                                       "backward-compute",
                                                       "forward-send",
                                                       "forward-recv",
                                                       "backward-send",
                                                       "backward-recv",
                                                       "params-all-gather",
                                                       "grads-reduce-scatter",
                                                       "layernorm-grads-all-reduce",
                                                       "embedding-grads-all-reduce",
                                                       "separate-grads-all-reduce",
                                                       "optimizer-clip-main-grad",
                                                       "optimizer",
                                                       "gc"};

class Reader {
public:
  explicit Reader(const std::string& file) : file_(file) {
    ChromeEventReader reader;
    reader.event = [this](const ChromeEvent& event) { read(event); };
    read_chrome_events(file, reader);
  }

  StragglerTimeline timeline() {
    if (operations_.empty())
      throw InputError({file_}, "", "holds no operations: not a straggler timeline");
    for (TimelineEvent& raw : operations_) raw.operation.stage = stage_of(raw);
    return in_shape(operations_, file_);
  }

private:
  [[noreturn]] void fail(std::int64_t event, const std::string& problem) const {
    throw InputError({file_}, "event " + std::to_string(event), problem);
  }

  int integer(const ChromeEvent& event, const std::string& name, const std::string* text) const {
    const std::optional<std::int64_t> value = text == nullptr ? std::nullopt : parse_integer(*text);
    if (!value || *value < -1 || *value > 1'000'000'000)
      fail(event.index, name + " must be a whole number, got '" +
                            (text == nullptr ? std::string("nothing") : printable(*text)) + "'");
    return static_cast<int>(*value);
  }

  void read(const ChromeEvent& event) {
    if (event.phase == "M" && event.name == "thread_name") read_thread(event);
    if (event.phase != "X") return;
    TimelineEvent raw;
    raw.event = event.index;
    raw.thread = thread_of(event);
    raw.operation.type = type_of(event);
    raw.operation.dp_rank = raw.thread.dp_rank;
    raw.operation.step = integer(event, "args.step", event.argument("step"));
    raw.operation.sequence = integer(event, "args.seq_id", event.argument("seq_id"));
    const std::string* chunk = event.argument("model_chunk");
    if (chunk != nullptr && *chunk != "null")
      raw.operation.chunk = integer(event, "args.model_chunk", chunk);
    if (!event.start_us || !event.duration_us) fail(event.index, "needs ts and dur");
    raw.operation.start = microseconds(*event.start_us);
    raw.operation.duration = microseconds(*event.duration_us);
    operations_.push_back(raw);
  }

  TimelineThread thread_of(const ChromeEvent& event) const {
    const TimelineThread thread{integer(event, "pid", &event.process),
                                integer(event, "tid", &event.thread)};
    if (thread.dp_rank < 0 || thread.thread < 0) fail(event.index, "pid and tid count from 0");
    return thread;
  }

  StragglerOp type_of(const ChromeEvent& event) const {
    for (std::size_t i = 0; i < kNames.size(); ++i)
      if (event.name == kNames[i]) return static_cast<StragglerOp>(i);
    fail(event.index, "unknown operation '" + printable(event.name) + "'" +
                          suggestion(event.name, {kNames.begin(), kNames.end()}));
  }

  void read_thread(const ChromeEvent& event) {
    const std::string* name = event.argument("name");
    int stage = -1;
    if (name == nullptr || std::sscanf(name->c_str(), "PP rank %d,", &stage) != 1 || stage < 0)
      fail(event.index, "a thread's name must begin 'PP rank <stage>,', got '" +
                            (name == nullptr ? std::string("nothing") : printable(*name)) + "'");
    stages_[thread_of(event)] = stage;
  }

  int stage_of(const TimelineEvent& raw) const {
    const auto found = stages_.find(raw.thread);
    if (found == stages_.end())
      fail(raw.event, "thread " + std::to_string(raw.thread.thread) + " of process " +
                          std::to_string(raw.thread.dp_rank) + " has no thread_name event");
    return found->second;
  }

  const std::string& file_;
  std::vector<TimelineEvent> operations_;
  std::map<TimelineThread, int> stages_;
};

void refuse_parquet(const std::string& file) {
  std::ifstream input(file, std::ios::binary);
  std::array<char, 4> magic{};
  if (input.read(magic.data(), magic.size()) && std::string(magic.data(), 4) == "PAR1")
    throw InputError({file}, "",
                     "Parquet cannot be read; give the timeline-*.json.gz of the same trace, or "
                     "write one with the source's to_timeline.py");
}

}  // namespace

const char* to_string(StragglerOp type) { return kNames[static_cast<std::size_t>(type)]; }

StragglerTimeline read_straggler_timeline(const std::string& file) {
  refuse_parquet(file);
  return Reader(file).timeline();
}

}  // namespace trainyard

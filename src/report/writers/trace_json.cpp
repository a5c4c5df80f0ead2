// trace.json: the run as a timeline for Perfetto and chrome://tracing.
//
// Names of processes and tracks come first, then the events by time. Times are microseconds written
// from integer nanoseconds, because a double loses nanoseconds after 104 days.
#include "report/writers/labels.hpp"
#include "report/writers/trace_events.hpp"
#include "report/writers/writers.hpp"

#include <ostream>
#include <set>
#include <utility>

namespace trainyard {

namespace {

std::string as_microseconds(std::int64_t ns) {
  const std::string thousandths = std::to_string(1000 + ns % 1000);
  return std::to_string(ns / 1000) + "." + thousandths.substr(1);
}

// A list of JSON objects, one a line.
class Lines {
public:
  explicit Lines(std::ostream& out) : out_(out) {}
  void add(const std::string& object) {
    out_ << (first_ ? "\n" : ",\n") << object;
    first_ = false;
  }

private:
  std::ostream& out_;
  bool first_ = true;
};

void write_name(const char* what, std::int64_t process, std::int64_t track, const std::string& name,
                Lines& lines) {
  lines.add("{\"name\":\"" + std::string(what) +
            "\",\"ph\":\"M\",\"pid\":" + std::to_string(process) +
            ",\"tid\":" + std::to_string(track) + ",\"args\":{\"name\":" + json_text(name) + "}}");
}

void write_process(std::int64_t process, std::int64_t position, const std::string& name,
                   Lines& lines) {
  write_name("process_name", process, 0, name, lines);
  lines.add("{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":" + std::to_string(process) +
            ",\"tid\":0,\"args\":{\"sort_index\":" + std::to_string(position) + "}}");
}

// The processes and tracks that hold at least one event; the failures on top.
void write_names(const Report& report, const std::vector<TraceEvent>& events, Lines& lines) {
  const std::vector<std::string> labels = job_labels(report.log);
  const std::int64_t failures = failures_process(report.log);
  std::set<std::pair<std::int64_t, std::int64_t>> tracks;
  for (const TraceEvent& event : events) tracks.insert({event.process, event.track});
  std::int64_t named = 0;
  for (const auto& [process, track] : tracks) {
    const bool failure = process == failures;
    if (named != process && failure) write_process(process, 0, "failures", lines);
    if (named != process && !failure)
      write_process(process, process, labels[static_cast<std::size_t>(process - 1)], lines);
    named = process;
    write_name("thread_name", process, track,
               failure ? failure_title(report, track) : track_title(track), lines);
  }
}

void write_event(const TraceEvent& event, Lines& lines) {
  lines.add("{\"name\":" + json_text(event.name) + ",\"cat\":\"" + event.category +
            "\",\"ph\":\"X\",\"ts\":" + as_microseconds(event.start_ns) + ",\"dur\":" +
            as_microseconds(event.duration_ns) + ",\"pid\":" + std::to_string(event.process) +
            ",\"tid\":" + std::to_string(event.track) + ",\"args\":" + event.args + "}");
}

}  // namespace

void write_trace_json(const Report& report, std::ostream& out) {
  const std::vector<TraceEvent> events = trace_events(report);
  out << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
  Lines lines(out);
  write_names(report, events, lines);
  for (const TraceEvent& event : events) write_event(event, lines);
  out << "\n]}\n";
}

}  // namespace trainyard

#include "report/writers/trace_events.hpp"

#include "base/text.hpp"
#include "report/writers/labels.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

namespace trainyard {

namespace {

// A job's tracks by the first word of a span's name; what is not in the table goes to the last.
struct Track {
  std::int64_t number;
  const char* word;
  const char* title;
};
constexpr Track kTracks[] = {
    {1, "attempt", "attempts"},      {2, "step", "steps"},      {2, "steps", "steps"},
    {3, "checkpoint", "checkpoint"}, {4, "restart", "restart"}, {5, "", "other"},
};

const Track& track_of(const std::string& name) {
  const std::string word = name.substr(0, name.find(' '));
  return *std::find_if(std::begin(kTracks), std::end(kTracks) - 1,
                       [&](const Track& track) { return word == track.word; });
}

std::int64_t nanoseconds_of(Seconds time) { return std::llround(in_seconds(time) * 1e9); }

TraceEvent event(Seconds start, Seconds end, std::int64_t process, std::int64_t track) {
  const std::int64_t from = nanoseconds_of(start);
  return {from, std::max<std::int64_t>(0, nanoseconds_of(end) - from), process, track, {}, {}, {}};
}

std::int64_t process_of(JobId job) { return job.value() + 1; }

void append_attempts(const Report& report, std::vector<TraceEvent>& events) {
  for (const AttemptRecord& attempt : report.log.attempts) {
    if (attempt.allocation.gpus.empty()) continue;
    TraceEvent one = event(attempt.start, attempt.end, process_of(attempt.job), kTracks[0].number);
    one.category = "attempt";
    one.name = "attempt " + std::to_string(attempt.attempt);
    one.args =
        "{\"nodes\":" + json_text(interval_set(node_numbers(report.platform, attempt.allocation))) +
        ",\"gpus\":" + std::to_string(attempt.allocation.gpus.size()) +
        ",\"state\":" + json_text(to_string(attempt.end_state)) +
        ",\"cause\":" + json_text(attempt.cause) + "}";
    events.push_back(std::move(one));
  }
}

void append_spans(const Report& report, std::vector<TraceEvent>& events) {
  for (const SpanRecord& span : report.log.spans) {
    const Track& track = track_of(span.name);
    TraceEvent one = event(span.start, span.end, process_of(span.job), track.number);
    one.category = track.title;
    one.name = span.name;
    one.args = "{\"attempt\":" + std::to_string(span.attempt) + "}";
    events.push_back(std::move(one));
  }
}

void append_outages(const Report& report, std::vector<TraceEvent>& events) {
  const Seconds end = report.log.end;
  for (const OutageRecord& outage : report.log.outages) {
    TraceEvent one = event(outage.down, std::min(outage.up, end), failures_process(report.log),
                           outage.node.value() + 1);
    one.category = "failure";
    one.name = report.platform.nodes[outage.node.index()].name + " down";
    one.args = "{}";
    events.push_back(std::move(one));
  }
}

// From a change for the worse to the next change of the same cable, or to the end of the run.
void append_cables(const Report& report, std::vector<TraceEvent>& events) {
  const std::vector<LinkChangeRecord>& changes = report.log.link_changes;
  for (auto change = changes.begin(); change != changes.end(); ++change) {
    if (change->factor >= 1) continue;
    const auto next = std::find_if(change + 1, changes.end(), [&](const LinkChangeRecord& later) {
      return later.link == change->link && later.links == change->links;
    });
    TraceEvent one = event(change->at, next == changes.end() ? report.log.end : next->at,
                           failures_process(report.log), cable_track(report, change->link));
    const std::string& name = report.platform.links[change->link.index()].name;
    one.category = "failure";
    one.name = name + (change->factor > 0 ? " slow" : " down");
    one.args = "{\"links\":" + std::to_string(change->links) +
               ",\"factor\":" + shortest(change->factor) + "}";
    events.push_back(std::move(one));
  }
}

}  // namespace

std::vector<TraceEvent> trace_events(const Report& report) {
  std::vector<TraceEvent> events;
  append_attempts(report, events);
  append_spans(report, events);
  append_outages(report, events);
  append_cables(report, events);
  const auto key = [](const TraceEvent& e) {
    return std::make_tuple(e.start_ns, -e.duration_ns, e.process, e.track);
  };
  std::stable_sort(events.begin(), events.end(),
                   [&](const TraceEvent& a, const TraceEvent& b) { return key(a) < key(b); });
  return events;
}

std::int64_t failures_process(const EventLog& log) {
  return static_cast<std::int64_t>(log.jobs.size()) + 1;
}

std::int64_t cable_track(const Report& report, LinkId link) {
  return static_cast<std::int64_t>(report.platform.nodes.size()) + 1 + link.value();
}

std::string failure_title(const Report& report, std::int64_t track) {
  const auto nodes = static_cast<std::int64_t>(report.platform.nodes.size());
  if (track <= nodes) return report.platform.nodes[static_cast<std::size_t>(track - 1)].name;
  return report.platform.links[static_cast<std::size_t>(track - 1 - nodes)].name;
}

std::string track_title(std::int64_t track) {
  return std::find_if(std::begin(kTracks), std::end(kTracks) - 1,
                      [track](const Track& one) { return one.number == track; })
      ->title;
}

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace trainyard

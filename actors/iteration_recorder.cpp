#include "actors/iteration_recorder.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

// Shares of the slow-down by rival, the largest first, and the link where most of it happened.
void name_rivals(const Blame& blame, const IterationRecorder::Names& job_name,
                 const IterationRecorder::Names& link_name, IterationRecord& record) {
  std::map<Domain, double> by_rival;
  std::map<LinkId, double> by_link;
  double total = 0;
  for (const auto& [key, lost] : blame) {
    by_rival[key.rival] += lost;
    by_link[key.link] += lost;
    total += lost;
  }
  if (total <= 0) return;
  std::vector<std::pair<double, Domain>> ordered;
  ordered.reserve(by_rival.size());
  for (const auto& [rival, lost] : by_rival) ordered.emplace_back(-lost, rival);
  std::sort(ordered.begin(), ordered.end());
  for (const auto& [lost, rival] : ordered) {
    if (!record.rivals.empty()) record.rivals += "; ";
    record.rivals += job_name(rival) + " " + fixed(-lost / total, 3);
  }
  const auto worst =
      std::max_element(by_link.begin(), by_link.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  record.rival_link = link_name(worst->first.value());
}

bool same(Seconds a, Seconds b) {
  return std::abs(in_seconds(a - b)) <= 1e-9 * std::abs(in_seconds(a));
}

}  // namespace

IterationRecorder::IterationRecorder(EventLog& log, IterationDetail detail, Names job_name,
                                     Names link_name)
    : log_(log),
      detail_(detail),
      job_name_(std::move(job_name)),
      link_name_(std::move(link_name)) {}

bool IterationRecorder::fits(const Open& open, const IterationRecord& record) const {
  const IterationRecord& last = open.record;
  if (!open.open || last.attempt != record.attempt || last.jumped != record.jumped) return false;
  if (last.first_step + last.steps != record.first_step) return false;
  return detail_ == IterationDetail::Segments || same(last.duration, record.duration);
}

void IterationRecorder::add(const StepFact& fact) {
  IterationRecord record;
  record.job = fact.job;
  record.attempt = fact.attempt;
  record.first_step = fact.first_step;
  record.steps = fact.steps;
  record.start = fact.start;
  record.duration = fact.duration;
  record.isolated = fact.costs->isolated;
  record.fabric = fact.costs->fabric;
  record.slow_gpu = fact.costs->slow_gpu;
  record.slow_link = fact.costs->slow_link;
  record.slow_gpu_name = fact.costs->slow_gpu_name;
  record.slow_link_name = fact.costs->slow_link_name;
  record.failed_link = fact.costs->failed_link + fact.stalled;
  record.failed_link_name = fact.costs->failed_link_name;
  if (record.failed_link_name.empty() && fact.stalled > Seconds(0))
    record.failed_link_name = link_name_(fact.stalled_by.value());
  record.variation = fact.costs->variation + fact.varied;
  record.contention = fact.duration - fact.costs->isolated - fact.stalled - fact.varied;
  record.jumped = fact.jumped;

  Open& open = open_[fact.job];
  if (!fits(open, record)) {
    flush(open);
    open.record = record;
    open.blame.clear();
    open.open = true;
  } else {
    IterationRecord& sum = open.record;
    const double before = static_cast<double>(sum.steps), more = static_cast<double>(record.steps);
    sum.duration = (before * sum.duration + more * record.duration) / (before + more);
    sum.failed_link = (before * sum.failed_link + more * record.failed_link) / (before + more);
    sum.contention = (before * sum.contention + more * record.contention) / (before + more);
    sum.steps += record.steps;
  }
  for (const auto& [key, lost] : fact.blame) open.blame[key] += lost;
}

void IterationRecorder::flush(Open& open) {
  if (!open.open) return;
  open.open = false;
  IterationRecord& record = open.record;
  if (same(record.duration, record.isolated)) record.contention = Seconds(0);
  name_rivals(open.blame, job_name_, link_name_, record);
  log_.iterations.push_back(record);
  const std::string last = std::to_string(record.first_step + record.steps - 1);
  const std::string first = std::to_string(record.first_step);
  std::string name = record.steps == 1 ? "step " + first : "steps " + first + "-" + last;
  if (record.jumped) name += " (jumped)";
  span(record.job, record.attempt, name, record.start,
       record.start + static_cast<double>(record.steps) * record.duration);
}

void IterationRecorder::close(JobId job) { flush(open_[job]); }

void IterationRecorder::span(JobId job, int attempt, const std::string& name, Seconds start,
                             Seconds end) {
  log_.spans.push_back({job, attempt, name, start, end});
}

}  // namespace trainyard

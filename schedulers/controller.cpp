// The scheduler's loop: it waits, and lets the scheduler decide. What its orders do is in
// controller_orders.cpp.
#include "schedulers/controller.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <exception>

namespace trainyard {

Controller::Controller(const Platform& platform, ControllerParts parts, ControllerOptions options,
                       bool checkpoint_on_signal, Watch watch)
    : platform_(platform),
      parts_(parts),
      options_(options),
      checkpoint_on_signal_(checkpoint_on_signal),
      watch_(std::move(watch)),
      cluster_(parts.occupancy.cluster),
      runs_(parts.occupancy.runs),
      progress_(parts.log.jobs.size()) {}

void Controller::operator()() {
  while (!over()) {
    const Seconds patience = std::max(Seconds(1e-9), next_deadline() - now());
    const std::optional<SchedulerMessage> first = parts_.inbox.receive_within(patience);
    graveyard_.clear();
    if (first) {
      if (options_.latency > Seconds(0))
        simgrid::s4u::this_actor::sleep_for(in_seconds(options_.latency));
      handle(*first);
      while (const std::optional<SchedulerMessage> more = parts_.inbox.receive_now()) handle(*more);
    }
    enforce_limits();
    do {
      freed_at_once_ = false;
      reconsider();
    } while (freed_at_once_);
    wake_ = parts_.scheduler.wake();
    const auto unfinished = parts_.scheduler.waiting() + runs_.size();
    watch_(now(), submitted_ - static_cast<std::int64_t>(unfinished));
  }
  close_books();
}

bool Controller::over() const {
  if (gave_up_) return true;
  if (!submissions_ended_ || !runs_.empty()) return false;
  return parts_.scheduler.waiting() == 0 || parts_.scheduler.gives_up();
}

Seconds Controller::next_deadline() const {
  Seconds next = wake_;
  for (const auto& [id, run] : runs_) next = std::min(next, run.deadline());
  return next;
}

Run* Controller::run_of(JobId id) {
  const auto run = runs_.find(id);
  return run == runs_.end() ? nullptr : &run->second;
}

// A scheduler that is a program of the user's may fail: the run then ends with its error.
std::vector<Order> Controller::ask() {
  try {
    return parts_.scheduler.decide(now());
  } catch (const Error&) {
    gave_up_ = true;
    parts_.simulation.fail(std::current_exception());
    return {};
  }
}

void Controller::reconsider() {
  if (gave_up_) return;
  const std::vector<Order> orders = ask();
  if (gave_up_) return;
  for (const Order& order : orders) {
    std::visit([this](const auto& o) { carry_out(o); }, order);
    if (gave_up_) return;
  }
  parts_.log.decisions += static_cast<std::int64_t>(orders.size());
  check_progress_is_possible();
}

// Nothing runs, nothing comes, every node is up, and still nobody starts: say so instead of waiting
// for ever.
void Controller::check_progress_is_possible() {
  if (!runs_.empty() || !submissions_ended_ || parts_.scheduler.waiting() == 0) return;
  if (!down_since_.empty() || !drained_.empty() || !parts_.scheduler.is_stuck()) return;
  parts_.simulation.fail("the scheduler starts nothing and nothing runs: " + describe());
}

void Controller::give_up(const std::string& problem) {
  gave_up_ = true;
  parts_.simulation.fail(problem);
}

std::string Controller::describe() const {
  std::string text = std::to_string(runs_.size()) + " jobs running";
  for (const auto& [id, run] : runs_) text += " " + job(id).name;
  return text + ", " + parts_.scheduler.describe();
}

void Controller::close_books() {
  if (!gave_up_ && parts_.scheduler.waiting() > 0)
    parts_.log.warnings.push_back("never started: " + parts_.scheduler.describe());
  for (const auto& [node, since] : down_since_) parts_.log.outages.push_back({node, since, now()});
  parts_.log.end = now();
}

}  // namespace trainyard

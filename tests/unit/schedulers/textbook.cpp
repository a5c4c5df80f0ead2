#include "unit/schedulers/textbook.hpp"

#include <algorithm>

namespace trainyard::textbook {

namespace {

constexpr long kNotYet = -1;

struct Machine {
  int processors;
  const std::vector<Request>& requests;
  std::vector<long> start;

  bool queued(std::size_t i, long now) const {
    return requests[i].submit <= now && start[i] == kNotYet;
  }
  bool running(std::size_t i, long now) const {
    return start[i] != kNotYet && now < start[i] + requests[i].run_time;
  }
  // Processors of jobs running now that are in use at `then` if each runs to its estimate.
  int used(long now, long then) const {
    int used = 0;
    for (std::size_t i = 0; i < requests.size(); ++i)
      if (running(i, now) && then < start[i] + requests[i].estimate) used += requests[i].processors;
    return used;
  }
  int idle(long now) const { return processors - used(now, now); }
};

// Starts what it can in order; the index of the first that does not fit, or the end.
std::size_t start_in_order(Machine& machine, long now) {
  for (std::size_t i = 0; i < machine.requests.size(); ++i) {
    if (!machine.queued(i, now)) continue;
    if (machine.requests[i].processors > machine.idle(now)) return i;
    machine.start[i] = now;
  }
  return machine.requests.size();
}

// The shadow time is when enough processors will be available for the first queued job; those
// beyond its need then are the extra ones. A later job may start if it needs no more than the idle
// processors and either ends by the shadow time or needs no more than the extra ones.
void easy_step(Machine& machine, long now) {
  const std::size_t head = start_in_order(machine, now);
  if (head == machine.requests.size()) return;
  long shadow = now;
  const auto available = [&] { return machine.processors - machine.used(now, shadow); };
  while (available() < machine.requests[head].processors) ++shadow;
  int extra = available() - machine.requests[head].processors;
  for (std::size_t i = head + 1; i < machine.requests.size(); ++i) {
    const Request& job = machine.requests[i];
    if (!machine.queued(i, now) || job.processors > machine.idle(now)) continue;
    if (now + job.estimate > shadow) {
      if (job.processors > extra) continue;
      extra -= job.processors;
    }
    machine.start[i] = now;
  }
}

// A chart of processors in use, second by second from now. Each queued job in turn is put at the
// first second from which on it fits for the length of its estimate; who is put at now starts.
void conservative_step(Machine& machine, long now) {
  std::vector<int> chart;
  for (long then = now; chart.empty() || chart.back() > 0; ++then)
    chart.push_back(machine.used(now, then));
  for (std::size_t i = 0; i < machine.requests.size(); ++i) {
    if (!machine.queued(i, now)) continue;
    const Request& job = machine.requests[i];
    const auto length = static_cast<std::size_t>(job.estimate);
    std::size_t at = 0;
    for (std::size_t held = 0; held < length; ++held) {
      if (at + held == chart.size()) chart.push_back(0);
      if (chart[at + held] + job.processors <= machine.processors) continue;
      at += held + 1;
      held = static_cast<std::size_t>(-1);
    }
    for (std::size_t held = 0; held < length; ++held) chart[at + held] += job.processors;
    if (at == 0) machine.start[i] = now;
  }
}

void shortest_first_step(Machine& machine, long now) {
  while (true) {
    std::size_t shortest = machine.requests.size();
    for (std::size_t i = machine.requests.size(); i-- > 0;)
      if (machine.queued(i, now) &&
          (shortest == machine.requests.size() ||
           machine.requests[i].estimate <= machine.requests[shortest].estimate))
        shortest = i;
    if (shortest == machine.requests.size()) return;
    if (machine.requests[shortest].processors > machine.idle(now)) return;
    machine.start[shortest] = now;
  }
}

template <typename Step>
std::vector<long> run(int processors, const std::vector<Request>& requests, Step step) {
  Machine machine{processors, requests, std::vector<long>(requests.size(), kNotYet)};
  long now = 0;
  while (std::count(machine.start.begin(), machine.start.end(), kNotYet) > 0) step(machine, now++);
  return machine.start;
}

}  // namespace

std::vector<long> fcfs(int processors, const std::vector<Request>& requests) {
  return run(processors, requests, start_in_order);
}

std::vector<long> easy(int processors, const std::vector<Request>& requests) {
  return run(processors, requests, easy_step);
}

std::vector<long> conservative(int processors, const std::vector<Request>& requests) {
  return run(processors, requests, conservative_step);
}

std::vector<long> shortest_first(int processors, const std::vector<Request>& requests) {
  return run(processors, requests, shortest_first_step);
}

}  // namespace trainyard::textbook

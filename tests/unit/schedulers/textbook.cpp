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

}  // namespace trainyard::textbook

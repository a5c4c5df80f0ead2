// An event log through a pipe between two processes of one program: raw values in a fixed order,
// strings and lists with their length.
//
// One list of fields per record serves both directions, so they cannot disagree.
#pragma once

#include "report/event_log.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unistd.h>
#include <vector>

namespace trainyard {

template <typename Direction>
class LogPipe {
public:
  template <typename... Fields>
  void operator()(Fields&... all) {
    (field(all), ...);
  }

private:
  Direction& self() { return static_cast<Direction&>(*this); }

  void field(std::string& text) {
    std::size_t size = text.size();
    self().raw(&size, sizeof size);
    text.resize(size);
    self().raw(text.data(), size);
  }

  template <typename T>
  void field(std::vector<T>& list) {
    std::size_t size = list.size();
    self().raw(&size, sizeof size);
    list.resize(size);
    for (T& one : list) field(one);
  }

  template <typename T>
  void field(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>)
      self().raw(&value, sizeof value);
    else
      log_fields(self(), value);
  }
};

class LogWriter : public LogPipe<LogWriter> {
public:
  explicit LogWriter(int file) : file_(file) {}

  void raw(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
  }
  void flush() {
    for (std::size_t done = 0; done < bytes_.size();) {
      const ssize_t more = write(file_, bytes_.data() + done, bytes_.size() - done);
      if (more <= 0) _exit(1);
      done += static_cast<std::size_t>(more);
    }
  }

private:
  int file_;
  std::string bytes_;
};

class LogReader : public LogPipe<LogReader> {
public:
  explicit LogReader(int file) {
    char buffer[65536];
    for (ssize_t more = 0; (more = read(file, buffer, sizeof buffer)) > 0;)
      bytes_.append(buffer, static_cast<std::size_t>(more));
  }

  void raw(void* data, std::size_t size) {
    if (at_ + size > bytes_.size()) throw std::runtime_error("the log ends early");
    if (size > 0) std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
  }

private:
  std::string bytes_;
  std::size_t at_ = 0;
};

template <typename Pipe>
void log_fields(Pipe& pipe, Job& job) {
  pipe(job.id, job.name, job.workload, job.submit, job.gpus, job.gpus_per_block, job.limit,
       job.kill_after, job.priority, job.plan, job.steps, job.run_time, job.sizes);
}

template <typename Pipe>
void log_fields(Pipe& pipe, AttemptRecord& a) {
  pipe(a.job, a.attempt, a.start, a.end, a.end_state, a.cause, a.preempted_for, a.allocation.gpus,
       a.nodes, a.leaves, a.first_step, a.steps_done, a.steps_saved, a.restart, a.checkpoint,
       a.work, a.suspended, a.lost, a.slow_gpu, a.slow_link, a.failed_link, a.variation,
       a.contention);
}

template <typename Pipe>
void log_fields(Pipe& pipe, IterationRecord& i) {
  pipe(i.job, i.attempt, i.first_step, i.steps, i.start, i.duration, i.isolated, i.fabric,
       i.slow_gpu, i.slow_link, i.failed_link, i.variation, i.contention, i.slow_gpu_name,
       i.slow_link_name, i.failed_link_name, i.rivals, i.rival_link, i.jumped);
}

template <typename Pipe>
void log_fields(Pipe& pipe, DecisionRecord& row) {
  pipe(row.at, row.job, row.what, row.reason, row.by, row.priority, row.factors, row.ahead,
       row.allocation.gpus);
}

template <typename Pipe>
void log_fields(Pipe& pipe, std::pair<std::string, double>& named) {
  pipe(named.first, named.second);
}

template <typename Pipe>
void log_fields(Pipe& pipe, StepRecord& step) {
  pipe(step.job, step.attempt, step.ideal);
}

template <typename Pipe>
void log_fields(Pipe& pipe, SpanRecord& span) {
  pipe(span.job, span.attempt, span.name, span.start, span.end);
}

template <typename Pipe>
void log_fields(Pipe& pipe, EventLog& log) {
  pipe(log.jobs, log.attempts, log.iterations, log.steps, log.links, log.spans, log.outages,
       log.suspensions, log.history, log.compression, log.end, log.events, log.decisions,
       log.algorithms, log.warnings);
}

}  // namespace trainyard

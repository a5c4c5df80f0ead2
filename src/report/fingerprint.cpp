#include "report/fingerprint.hpp"

#include <algorithm>
#include <cstring>

namespace trainyard {

namespace {

class Fnv1a {
public:
  void add(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
      hash_ = (hash_ ^ ((value >> shift) & 0xffU)) * 1099511628211ULL;
  }
  void add(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
  void add(int value) { add(static_cast<std::int64_t>(value)); }
  void add(Seconds time) {
    const double number = in_seconds(time) + 0.0;  // -0 is 0
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    add(bits);
  }
  std::uint64_t value() const { return hash_; }

private:
  std::uint64_t hash_ = 1469598103934665603ULL;
};

void add(const Job& job, Fnv1a& hash) {
  hash.add(job.id.value());
  hash.add(job.submit);
  hash.add(job.gpus);
}

void add(const AttemptRecord& attempt, Fnv1a& hash) {
  hash.add(attempt.job.value());
  hash.add(attempt.attempt);
  hash.add(attempt.start);
  hash.add(attempt.end);
  hash.add(static_cast<int>(attempt.end_state));
  hash.add(attempt.steps_done);
  hash.add(attempt.steps_saved);
  for (const GpuId gpu : attempt.allocation.gpus) hash.add(gpu.value());
}

void add(const IterationRecord& step, Fnv1a& hash) {
  hash.add(step.job.value());
  hash.add(step.attempt);
  hash.add(step.first_step);
  hash.add(step.steps);
  hash.add(step.start);
  hash.add(step.duration);
}

void add(const OutageRecord& outage, Fnv1a& hash) {
  hash.add(outage.node.value());
  hash.add(outage.down);
  hash.add(outage.up);
}

// The rows in the order of the time that `when` reads; ties keep the log's order.
template <typename Row, typename When>
void add_chronologically(const std::vector<Row>& rows, const When& when, Fnv1a& hash) {
  std::vector<const Row*> ordered;
  ordered.reserve(rows.size());
  for (const Row& row : rows) ordered.push_back(&row);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [&](const Row* a, const Row* b) { return when(*a) < when(*b); });
  hash.add(static_cast<std::int64_t>(rows.size()));
  for (const Row* row : ordered) add(*row, hash);
}

}  // namespace

std::uint64_t fingerprint(const EventLog& log) {
  Fnv1a hash;
  add_chronologically(
      log.jobs, [](const Job& job) { return job.submit; }, hash);
  add_chronologically(
      log.attempts, [](const AttemptRecord& a) { return a.start; }, hash);
  add_chronologically(
      log.iterations, [](const IterationRecord& i) { return i.start; }, hash);
  add_chronologically(
      log.outages, [](const OutageRecord& o) { return o.down; }, hash);
  hash.add(log.end);
  return hash.value();
}

std::string hexadecimal(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t digit = 16; digit-- > 0; value >>= 4U)
    text[digit] = "0123456789abcdef"[value & 15U];
  return text;
}

}  // namespace trainyard

#include "support/collective_timing.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace trainyard::testing {

namespace {

namespace s4u = simgrid::s4u;

// Starts every job at its time, plays it again until it is done, and notes when that was. Job j is
// domain j.
class Stopwatch final : private Listener {
public:
  Stopwatch(Simulation& simulation, const Platform& platform, const Routing& routing,
            const std::vector<CollectiveJob>& jobs)
      : simulation_(simulation), ends_(jobs.size()) {
    for (const CollectiveJob& job : jobs) {
      CollectiveSpec spec{
          job.collective, find_algorithm(job.collective.kind, job.algorithm), {job.gpus}};
      if (!spec.algorithm) throw std::logic_error("no algorithm " + job.algorithm);
      Lowered groups = lower(spec, platform, routing);
      prepared_.push_back(simulation.network().prepare(
          std::make_shared<const CollectiveSpec>(std::move(spec)), std::move(groups)));
      plays_left_.push_back(job.repetitions + 1);  // the wait for its start counts as one
    }
  }

  void start(const std::vector<CollectiveJob>& jobs) {
    for (std::size_t j = 0; j < jobs.size(); ++j)
      simulation_.fluid().start_delay(static_cast<Domain>(j), jobs[j].start, this,
                                      static_cast<std::int64_t>(j));
  }
  // In the actor: until every job has ended or is withdrawn.
  void wait(const std::vector<CollectiveJob>& jobs) {
    std::size_t left = jobs.size();
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      if (jobs[j].withdrawn_at == forever()) continue;
      s4u::this_actor::sleep_until(in_seconds(jobs[j].withdrawn_at));
      simulation_.network().withdraw_all(static_cast<Domain>(j));
      --left;
    }
    for (; left > 0; --left) done_->acquire();
  }
  const std::vector<double>& ends() const { return ends_; }

private:
  void completed(std::int64_t j) override {
    const auto index = static_cast<std::size_t>(j);
    if (--plays_left_[index] > 0)
      return simulation_.network().start(prepared_[index], static_cast<Domain>(j), this, j);
    ends_[index] = in_seconds(simulation_.now());
    done_->release();
  }

  Simulation& simulation_;
  std::vector<Network::Prepared> prepared_;
  std::vector<int> plays_left_;
  std::vector<double> ends_;
  s4u::SemaphorePtr done_ = s4u::Semaphore::create(0);
};

void write_all(int file, const void* data, std::size_t size) {
  const auto* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(file, next, size);
    if (written <= 0) ::_exit(3);
    next += written;
    size -= static_cast<std::size_t>(written);
  }
}

[[noreturn]] void be_the_child(int file, const std::function<std::vector<double>()>& work) {
  try {
    const std::vector<double> numbers = work();
    write_all(file, numbers.data(), numbers.size() * sizeof(double));
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "in the child: %s\n", problem.what());
    ::_exit(2);
  }
  ::_exit(0);  // no destructors, no atexit: they are the parent's
}

}  // namespace

double Timed::last() const { return *std::max_element(ends.begin(), ends.end()); }

std::vector<GpuId> gpus(int count, int first, int stride) {
  std::vector<GpuId> ids;
  ids.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) ids.emplace_back(first + i * stride);
  return ids;
}

CollectiveJob job(CollectiveKind kind, const std::string& algorithm, int ranks, Bytes size) {
  CollectiveJob made;
  made.collective = {kind, ranks, size};
  made.algorithm = algorithm;
  made.gpus = gpus(ranks);
  return made;
}

CollectiveJob send(GpuId from, GpuId to, Bytes size, Seconds start) {
  CollectiveJob made = job(CollectiveKind::SendRecv, "send_recv", 2, size);
  made.gpus = {from, to};
  made.start = start;
  return made;
}

Timed time_collectives(const Fabric& fabric, NetworkModel model,
                       const std::vector<CollectiveJob>& jobs) {
  Simulation simulation;
  const bool plain = !fabric.plain_file.empty();
  const Platform platform = plain ? simulation.load_plain(fabric.plain_file) : fabric.platform;
  const auto routing =
      plain ? simulation.plain_routing(platform) : make_routing(platform, fabric.routing);
  simulation.build(platform, *routing, nominal_capacities(platform), model);
  Stopwatch stopwatch(simulation, platform, *routing, jobs);
  s4u::Actor::create("stopwatch", simulation.service_host(), [&] {
    stopwatch.start(jobs);
    stopwatch.wait(jobs);
  });
  simulation.run([] { return "jobs that have not ended"; });
  return {stopwatch.ends(), simulation.network().link_bytes()};
}

Timed time_in_child(const Fabric& fabric, NetworkModel model,
                    const std::vector<CollectiveJob>& jobs) {
  const std::vector<double> numbers = in_child([&] {
    const Timed timed = time_collectives(fabric, model, jobs);
    std::vector<double> all = timed.ends;
    all.insert(all.end(), timed.link_bytes.begin(), timed.link_bytes.end());
    return all;
  });
  const auto ends = numbers.begin() + static_cast<std::ptrdiff_t>(jobs.size());
  return {{numbers.begin(), ends}, {ends, numbers.end()}};
}

std::vector<double> in_child(const std::function<std::vector<double>()>& work) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);  // else the child may write what the parent has buffered, too
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no child");
  if (child == 0) be_the_child(pipe[1], work);
  ::close(pipe[1]);
  std::vector<double> numbers;
  std::array<double, 512> buffer{};
  std::size_t held = 0;
  auto* const bytes = reinterpret_cast<char*>(buffer.data());
  for (ssize_t got = 0; (got = ::read(pipe[0], bytes + held, sizeof buffer - held)) > 0;) {
    held += static_cast<std::size_t>(got);
    const std::size_t whole = held / sizeof(double);
    numbers.insert(numbers.end(), buffer.begin(), buffer.begin() + static_cast<long>(whole));
    std::copy(bytes + whole * sizeof(double), bytes + held, bytes);
    held -= whole * sizeof(double);
  }
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0) throw std::runtime_error("the child failed: status " + std::to_string(status));
  return numbers;
}

}  // namespace trainyard::testing

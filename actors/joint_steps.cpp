#include "actors/joint_steps.hpp"

#include "actors/program_player.hpp"
#include "network/flow_network.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace trainyard {

namespace {

constexpr int kWarmUp = 10;  // steps until the ranks of a job have fallen into step
constexpr int kFirstWindow = 50, kLastWindow = 800;
constexpr double kAgreement = 1e-3;

// One job going on for ever; keeps when each of its steps ended, on the slowest class.
class EndlessJob final : public StepListener {
public:
  EndlessJob(const StepModel& model, Fluid& fluid, Network& network, Domain domain)
      : fluid_(fluid), steps_(model.classes.size()), player_(model, fluid, network, domain, *this) {
    for (std::size_t c = 0; c < steps_.size(); ++c) player_.start_step(static_cast<int>(c));
  }

  void class_ended_step(int rank_class) override {
    ++steps_[static_cast<std::size_t>(rank_class)];
    const auto done = static_cast<std::size_t>(*std::min_element(steps_.begin(), steps_.end()));
    if (done > ends_.size()) ends_.push_back(fluid_.now());
    player_.start_step(rank_class);
  }

  int steps() const { return static_cast<int>(ends_.size()); }

  // Of the last `window` steps, under a Hann taper.
  Seconds mean(int window) const {
    double sum = 0, weights = 0;
    for (int i = 0; i < window; ++i) {
      const auto end = ends_.size() - static_cast<std::size_t>(window - i);
      const double weight = 1 - std::cos(2 * M_PI * (i + 0.5) / window);
      sum += weight * in_seconds(ends_[end] - ends_[end - 1]);
      weights += weight;
    }
    return Seconds(sum / weights);
  }

private:
  Fluid& fluid_;
  std::vector<int> steps_;  // by class
  std::vector<Fluid::Instant> ends_;
  ProgramPlayer player_;
};

using Jobs = std::vector<std::unique_ptr<EndlessJob>>;

// False if nothing can happen any more: a program that cannot proceed.
bool play_until(Fluid& fluid, const Jobs& jobs, int steps) {
  const auto behind = [steps](const auto& job) { return job->steps() < steps; };
  while (std::any_of(jobs.begin(), jobs.end(), behind)) {
    const Seconds next = fluid.until_next();
    if (next == forever()) return false;
    fluid.advance(next);
  }
  return true;
}

std::vector<Seconds> means(const Jobs& jobs, int window) {
  std::vector<Seconds> result;
  for (const auto& job : jobs) result.push_back(job->mean(window));
  return result;
}

bool agree(const std::vector<Seconds>& a, const std::vector<Seconds>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::abs(a[i] / b[i] - 1) > kAgreement) return false;
  return true;
}

JointStep joint_step(Fluid& fluid, Domain domain, Seconds mean, int steps) {
  JointStep result{mean, {}, {}};
  std::map<LinkId, double> lost;
  for (const auto& [rival, seconds] : fluid.take_blame(domain)) lost[rival.link] += seconds;
  double worst = 0;
  for (const auto& [link, seconds] : lost) {
    result.lost += Seconds(seconds / steps);
    if (seconds > worst) worst = seconds, result.worst_link = link;
  }
  return result;
}

}  // namespace

std::vector<JointStep> joint_steps(const std::vector<const StepModel*>& models,
                                   const Platform& platform, const Capacities& capacities) {
  Fluid fluid(capacities, platform);
  FlowNetwork network(fluid);
  Jobs jobs;
  for (const StepModel* model : models)
    jobs.push_back(
        std::make_unique<EndlessJob>(*model, fluid, network, static_cast<Domain>(jobs.size())));
  int steps = kWarmUp + kFirstWindow;
  std::vector<Seconds> before, now;
  bool alive = play_until(fluid, jobs, steps);
  if (alive) now = means(jobs, kFirstWindow);
  for (int window = 2 * kFirstWindow; alive && window <= kLastWindow; window *= 2) {
    before = now;
    steps += window;
    alive = play_until(fluid, jobs, steps);
    if (alive) now = means(jobs, window);
    if (agree(before, now)) break;
  }
  std::vector<JointStep> result;
  for (std::size_t job = 0; job < jobs.size(); ++job)
    result.push_back(joint_step(fluid, static_cast<Domain>(job), alive ? now[job] : forever(),
                                jobs[job]->steps()));
  return result;
}

bool share_a_link(const StepModel& a, const StepModel& b) {
  auto left = a.links.begin();
  auto right = b.links.begin();
  while (left != a.links.end() && right != b.links.end()) {
    if (left->link == right->link) return true;
    left->link < right->link ? ++left : ++right;
  }
  return false;
}

}  // namespace trainyard

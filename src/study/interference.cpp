#include "study/interference.hpp"

#include "actors/joint_steps.hpp"
#include "report/writers/csv.hpp"
#include "schedulers/cluster.hpp"
#include "schedulers/registry.hpp"
#include "study/simulate.hpp"

namespace trainyard {

namespace {

struct Placed {
  std::vector<AttemptSpec> attempts;
  std::vector<std::string> left_out;
};

Placed place_all(const Experiment& experiment, AttemptFactory& factory) {
  const auto placement = make_placement(experiment);
  Cluster cluster(experiment.platform);
  Placed placed;
  for (const Job& job : experiment.jobs) {
    const Allocation allocation =
        placement->place(job, {experiment.platform, cluster.free(), cluster.free_per_node()});
    if (allocation.gpus.empty()) {
      placed.left_out.push_back(job.name);
      continue;
    }
    cluster.allocate(job.id, allocation);
    JobProgress progress;
    placed.attempts.push_back(factory.make(job, allocation, progress));
  }
  return placed;
}

class Study {
public:
  Study(const Machine& machine, const std::vector<AttemptSpec>& attempts)
      : machine_(machine), attempts_(attempts) {}

  Interference::PlacedJob alone(std::size_t job) const {
    const AttemptSpec& attempt = attempts_[job];
    const Seconds step = attempt.costs.isolated;
    return {attempt.job->name, attempt.job->gpus, step, step};
  }

  // Both jobs of a pair at once.
  void play_pair(std::size_t a, std::size_t b, Interference& result) const {
    if (!share_a_link(attempts_[a].model, attempts_[b].model)) return;
    const std::vector<JointStep> steps = joint({a, b});
    result.effects[a][b] = effect(steps[0], result.jobs[a]);
    result.effects[b][a] = effect(steps[1], result.jobs[b]);
  }

  void play_all(Interference& result) const {
    std::vector<std::size_t> everybody;
    for (std::size_t job = 0; job < attempts_.size(); ++job)
      if (!attempts_[job].model.channels.empty()) everybody.push_back(job);
    if (everybody.size() < 2) return;
    const std::vector<JointStep> steps = joint(everybody);
    for (std::size_t i = 0; i < everybody.size(); ++i)
      result.jobs[everybody[i]].together = steps[i].mean;
  }

private:
  std::vector<JointStep> joint(const std::vector<std::size_t>& jobs) const {
    std::vector<const StepModel*> models;
    models.reserve(jobs.size());
    for (const std::size_t job : jobs) models.push_back(&attempts_[job].model);
    return joint_steps(models, *machine_.platform, machine_.capacities);
  }

  Interference::Effect effect(const JointStep& step, const Interference::PlacedJob& job) const {
    Interference::Effect effect;
    effect.slowdown = step.mean / job.alone - 1;
    if (step.worst_link.valid())
      effect.link = machine_.platform->links[step.worst_link.index()].name;
    return effect;
  }

  const Machine& machine_;
  const std::vector<AttemptSpec>& attempts_;
};

void write_row(std::ostream& out, const Interference::PlacedJob& job, const std::string& rival,
               const Interference::Effect& effect) {
  CsvLine line(out);
  line.text(job.name).text(rival).integer(job.gpus).number(in_seconds(job.alone));
  line.number(in_seconds(job.alone) * (1 + effect.slowdown)).number(effect.slowdown);
  line.text(effect.link).end();
}

}  // namespace

Interference interference(const Experiment& experiment, const Routing& routing) {
  const Machine machine = make_machine(experiment, routing);
  AttemptFactory factory(machine, experiment.plans, experiment.attempts);
  Placed placed = place_all(experiment, factory);
  const std::size_t count = placed.attempts.size();
  const Study study(machine, placed.attempts);
  Interference result;
  result.left_out = std::move(placed.left_out);
  result.effects.assign(count, std::vector<Interference::Effect>(count));
  for (std::size_t job = 0; job < count; ++job) result.jobs.push_back(study.alone(job));
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = a + 1; b < count; ++b) study.play_pair(a, b, result);
  study.play_all(result);
  return result;
}

void write_interference_csv(const Interference& result, std::ostream& out) {
  out << "job,rival,gpus,step_alone_s,step_beside_s,slowdown,link\n";
  for (std::size_t job = 0; job < result.jobs.size(); ++job) {
    const Interference::PlacedJob& row = result.jobs[job];
    for (std::size_t rival = 0; rival < result.jobs.size(); ++rival)
      if (rival != job) write_row(out, row, result.jobs[rival].name, result.effects[job][rival]);
    write_row(out, row, "*", {row.together / row.alone - 1, ""});
  }
}

}  // namespace trainyard

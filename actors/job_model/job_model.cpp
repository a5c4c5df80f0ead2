#include "actors/job_model/job_model.hpp"

#include "actors/job_model/constant_durations.hpp"
#include "actors/link_use.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace trainyard {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<double> slowdown_of_ranks(const Allocation& allocation, const Machine& machine) {
  std::vector<double> slowdown;
  slowdown.reserve(allocation.gpus.size());
  for (const GpuId gpu : allocation.gpus) slowdown.push_back(machine.gpu_slowdown[gpu.index()]);
  return slowdown;
}

// Builds the model piece by piece; lives for one call.
class Builder {
public:
  struct Folded {
    const std::vector<double>& slowdown;  // by rank
    const std::vector<GroupTraffic>& traffic;
    const RankFolding& folding;
  };
  Builder(const JobProgram& job, const JobModelOptions& options, const Machine& machine,
          NetworkModel network, const Folded& folded)
      : job_(job),
        machine_(machine),
        network_(network),
        merging_(options.merging),
        slowdown_(folded.slowdown),
        traffic_(folded.traffic),
        folding_(folded.folding),
        names_(group_names(job)) {
    gather();
    constants_ = constant_durations({job_, traffic_, folding_}, machine_, network_);
  }

  StepModel build() {
    for (const std::vector<int>& ranks : ranks_of_class_) add_class(ranks);
    find_replicas();
    model_.links = links_used(model_, machine_);
    return std::move(model_);
  }

private:
  void gather() {
    ranks_of_class_.resize(at(folding_.rank_classes));
    for (std::size_t rank = 0; rank < job_.ranks.size(); ++rank)
      ranks_of_class_[at(folding_.class_of_rank[rank])].push_back(static_cast<int>(rank));
    groups_of_class_.resize(at(folding_.group_classes));
    for (std::size_t group = 0; group < job_.groups.size(); ++group)
      groups_of_class_[at(folding_.class_of_group[group])].push_back(static_cast<int>(group));
  }

  // A rank's place in its data group.
  void find_replicas() {
    model_.replica_of_rank.resize(job_.ranks.size());
    for (const ProcessGroup& group : job_.groups) {
      if (job_.slots[at(group.slot)].dimension != Dimension::Data) continue;
      for (std::size_t i = 0; i < group.ranks.size(); ++i)
        model_.replica_of_rank[at(group.ranks[i])] = static_cast<int>(i);
    }
  }

  void add_class(const std::vector<int>& ranks) {
    const RankRole& role = job_.ranks[at(ranks.front())];
    const Template& steps = template_of(ranks.front());
    RankClass rank_class;
    rank_class.ranks = ranks;
    rank_class.operations = steps.class_steps.operations;
    for (const SlotUse& use : steps.class_steps.constant) {
      const int group = role.groups[at(use.slot)];
      rank_class.folded.push_back(folded_of(group, traffic_[at(group)].sequence[at(use.n)]));
    }
    for (PlayOperation& operation : rank_class.operations) {
      operation.label += steps.first_label;
      if (operation.resident >= 0) operation.resident = rank_class.folded[at(operation.resident)];
      if (operation.channel < 0) continue;
      const SlotUse& use = steps.class_steps.uses[at(operation.channel)];
      operation.channel = channel_of(role.groups[at(use.slot)], use.n);
      operation.tickets = static_cast<int>(ranks.size());
    }
    model_.classes.push_back(std::move(rank_class));
  }

  // The steps of classes that differ only in whom they communicate with.
  struct Template {
    ClassSteps class_steps;
    int first_label = 0;
  };

  const Template& template_of(int rank) {
    const RankRole& role = job_.ranks[at(rank)];
    ConstantTimes times;
    for (const int group : role.groups) {
      times.emplace_back();
      if (group < 0) continue;
      const auto& constants = constants_[at(folding_.class_of_group[at(group)])];
      for (const int d : traffic_[at(group)].sequence) times.back().push_back(constants[at(d)]);
    }
    const auto key = std::make_tuple(role.program, slowdown_[at(rank)], times);
    const auto known = templates_.find(key);
    if (known != templates_.end()) return known->second;
    Template made{steps_of(job_.programs[at(role.program)], job_.slots, times,
                           {slowdown_[at(rank)], merging_}),
                  static_cast<int>(model_.labels.size())};
    for (OperationLabel& label : made.class_steps.labels) model_.labels.push_back(std::move(label));
    return templates_.emplace(key, std::move(made)).first->second;
  }

  // The n-th collective of all groups that are like this one, played as one.
  int channel_of(int group, int n) {
    const int alike = folding_.class_of_group[at(group)];
    const auto key = std::make_pair(alike, n);
    const auto known = channel_numbers_.find(key);
    if (known != channel_numbers_.end()) return known->second;
    model_.channels.push_back(folded_channel(alike, traffic_[at(group)].sequence[at(n)]));
    return channel_numbers_[key] = static_cast<int>(model_.channels.size()) - 1;
  }

  int folded_of(int group, int distinct) {
    const int alike = folding_.class_of_group[at(group)];
    const auto key = std::make_pair(alike, distinct);
    const auto known = folded_numbers_.find(key);
    if (known != folded_numbers_.end()) return known->second;
    model_.folded.push_back(folded_channel(alike, distinct));
    return folded_numbers_[key] = static_cast<int>(model_.folded.size()) - 1;
  }

  const Channel& folded_channel(int alike, int distinct) {
    const auto known = folded_channels_.find({alike, distinct});
    if (known != folded_channels_.end()) return known->second;
    const std::vector<int>& groups = groups_of_class_[at(alike)];
    Channel channel = traffic_[at(groups.front())].distinct[at(distinct)];
    channel.name = names_[at(groups.front())];
    if (groups.size() > 1) {
      CollectiveSpec spec = *channel.spec;
      for (std::size_t g = 1; g < groups.size(); ++g)
        spec.members.push_back(
            traffic_[at(groups[g])].distinct[at(distinct)].spec->members.front());
      channel.groups = lower(spec, *machine_.platform, *machine_.routing);
      channel.spec = std::make_shared<const CollectiveSpec>(std::move(spec));
    }
    channel.tickets *= static_cast<int>(groups.size());
    return folded_channels_.emplace(std::make_pair(alike, distinct), std::move(channel))
        .first->second;
  }

  const JobProgram& job_;
  const Machine& machine_;
  const NetworkModel network_;
  const Merging merging_;
  const std::vector<double>& slowdown_;  // by rank
  const std::vector<GroupTraffic>& traffic_;
  const RankFolding& folding_;
  const std::vector<std::string> names_;  // of process groups
  std::vector<std::vector<int>> ranks_of_class_, groups_of_class_;
  ConstantDurations constants_;  // by class of groups, then distinct collective
  std::map<std::tuple<int, double, ConstantTimes>, Template> templates_;
  std::map<std::pair<int, int>, int> channel_numbers_, folded_numbers_;
  std::map<std::pair<int, int>, Channel> folded_channels_;  // by class of groups and distinct
  StepModel model_;
};

}  // namespace

FoldedJob::FoldedJob(Of what)
    : what_(std::move(what)), slowdown_(slowdown_of_ranks(what_.allocation, what_.machine)) {
  ChannelMaker channels(what_.machine, what_.options.no_trees);
  traffic_ = traffic_of(*what_.job, what_.allocation, channels);
  folding_ = fold_ranks(*what_.job, slowdown_, traffic_, what_.machine, what_.options.folding);
  notes_ = channels.notes();
}

bool FoldedJob::is(const Of& other) const {
  const JobModelOptions& here = what_.options;
  const JobModelOptions& there = other.options;
  const bool alike = here.folding.fold == there.folding.fold &&
                     here.folding.alone == there.folding.alone && here.merging == there.merging &&
                     here.no_trees == there.no_trees;
  const bool routes_stay = !what_.machine.surviving && !other.machine.surviving;
  return alike && routes_stay && what_.job == other.job &&
         what_.allocation.gpus == other.allocation.gpus &&
         what_.machine.routing == other.machine.routing &&
         slowdown_ == slowdown_of_ranks(other.allocation, other.machine) &&
         what_.machine.capacities == other.machine.capacities;
}

StepModel FoldedJob::model(NetworkModel network) const {
  StepModel model =
      Builder(*what_.job, what_.options, what_.machine, network, {slowdown_, traffic_, folding_})
          .build();
  model.notes = notes_;
  return model;
}

StepModel make_job_model(const JobProgram& job, const Allocation& allocation,
                         const JobModelOptions& options, const Machine& machine) {
  // Not owned: the job outlives this call.
  const std::shared_ptr<const JobProgram> borrowed(std::shared_ptr<void>(), &job);
  return FoldedJob({borrowed, allocation, options, machine}).model(machine.model);
}

}  // namespace trainyard

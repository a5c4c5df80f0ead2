#include "actors/job_model/rank_folding.hpp"

#include "actors/link_use.hpp"
#include "base/rng.hpp"
#include "network/flow_group.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace trainyard {

namespace {

using Colour = std::uint64_t;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Colour joined(Colour colour, Colour with) { return mix(colour * 0x9e3779b97f4a7c15ULL ^ with); }

// Equal up to the rounding of sums taken in another order: 40 of 53 bits.
Colour colour_of(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  const auto bits = static_cast<std::int64_t>(std::llround(std::ldexp(mantissa, 40)));
  return joined(static_cast<Colour>(bits), static_cast<Colour>(exponent));
}

Colour of_all(Colour own, std::vector<Colour>& around) {
  std::sort(around.begin(), around.end());
  for (const Colour colour : around) own = joined(own, colour);
  return own;
}

// Numbers the colours by the first vertex that has each.
std::vector<int> numbered(const std::vector<Colour>& colours, int& count) {
  std::map<Colour, int> numbers;
  std::vector<int> result;
  result.reserve(colours.size());
  for (const Colour colour : colours)
    result.push_back(numbers.try_emplace(colour, static_cast<int>(numbers.size())).first->second);
  count = static_cast<int>(numbers.size());
  return result;
}

// An NVLink belongs to a GPU, and the GPU to the job.
bool neighbours_cross(LinkId link, const Machine& machine, const FoldingRules& rules) {
  return !rules.alone && machine.platform->links[link.index()].link_class != LinkClass::NvLink;
}

std::size_t distinct(std::vector<Colour> colours) {
  std::sort(colours.begin(), colours.end());
  return static_cast<std::size_t>(std::unique(colours.begin(), colours.end()) - colours.begin());
}

// The graph and its colours; lives for one call.
class Refinement {
public:
  Refinement(const JobProgram& job, const std::vector<GroupTraffic>& traffic,
             const Machine& machine, const FoldingRules& rules)
      : job_(job), traffic_(traffic), machine_(machine), rules_(rules) {}

  RankFolding run(const std::vector<double>& slowdown) {
    find_links();
    colour_first(slowdown);
    std::size_t classes = 0;
    for (std::size_t now = count(); now > classes; now = count()) {
      classes = now;
      refine();
    }
    RankFolding folding;
    folding.class_of_rank = numbered(ranks_, folding.rank_classes);
    folding.class_of_group = numbered(groups_, folding.group_classes);
    folding.may_be_filled = std::move(may_be_filled_);
    return folding;
  }

private:
  struct Load {
    int link;      // a vertex
    Colour on_it;  // which collective, and how much of it
  };

  std::size_t count() const { return distinct(ranks_) + distinct(groups_) + distinct(links_); }

  // Links that the job could overfill by itself, and those where neighbours may be.
  void find_links() {
    StepModel all;
    for (const GroupTraffic& group : traffic_)
      for (const Channel& channel : group.distinct) all.channels.push_back(channel);
    std::map<LinkId, int> vertices;
    may_be_filled_.resize(machine_.platform->links.size());
    for (const LinkUse& use : links_used(all, machine_)) {
      if (!may_be_filled(use)) continue;
      may_be_filled_[use.link.index()] = true;
      vertices.emplace(use.link, static_cast<int>(links_.size()));
      links_.push_back(neighbours_cross(use.link, machine_, rules_)
                           ? joined(1, static_cast<Colour>(use.link.value()))
                           : colour_of(machine_.capacities[use.link.index()]));
    }
    loads_.resize(traffic_.size());
    groups_on_.resize(links_.size());
    for (std::size_t group = 0; group < traffic_.size(); ++group)
      note_loads(static_cast<int>(group), vertices);
  }

  bool may_be_filled(const LinkUse& use) const {
    return neighbours_cross(use.link, machine_, rules_) ||
           use.peak > machine_.capacities[use.link.index()] * (1 + 1e-9);
  }

  void note_loads(int group, const std::map<LinkId, int>& vertices) {
    const GroupTraffic& traffic = traffic_[at(group)];
    for (std::size_t d = 0; d < traffic.distinct.size(); ++d)
      for (std::size_t p = 0; p < traffic.distinct[d].groups.size(); ++p)
        for (const Demand& demand : traffic.distinct[d].groups[p]->demands) {
          const auto vertex = vertices.find(demand.link);
          if (vertex == vertices.end()) continue;
          const Colour load = joined(joined(d, p), colour_of(demand.load));
          loads_[at(group)].push_back({vertex->second, load});
          groups_on_[at(vertex->second)].push_back({group, load});
        }
  }

  void colour_first(const std::vector<double>& slowdown) {
    for (std::size_t rank = 0; rank < job_.ranks.size(); ++rank) {
      const Colour program = static_cast<Colour>(job_.ranks[rank].program);
      ranks_.push_back(rules_.fold ? joined(program, colour_of(slowdown[rank])) : mix(rank));
    }
    for (std::size_t group = 0; group < traffic_.size(); ++group)
      groups_.push_back(rules_.fold ? first_colour(static_cast<int>(group)) : mix(group));
  }

  // What it does, and how long that takes when nobody is in the way.
  Colour first_colour(int group) const {
    const GroupTraffic& traffic = traffic_[at(group)];
    Colour colour = static_cast<Colour>(job_.groups[at(group)].slot);
    for (const int n : traffic.sequence) colour = joined(colour, static_cast<Colour>(n));
    for (const Channel& channel : traffic.distinct) {
      colour = joined(colour, static_cast<Colour>(channel.spec->collective.kind));
      colour = joined(colour, static_cast<Colour>(channel.spec->collective.size.count()));
      for (const auto& flow : channel.groups) {
        colour = joined(colour, colour_of(in_seconds(flow->latency)));
        colour = joined(colour, colour_of(flow->length));
        colour = joined(colour, colour_of(alone_rate(*flow, machine_.capacities)));
      }
    }
    return colour;
  }

  void refine() {
    std::vector<std::vector<Colour>> of_group(groups_.size());
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      for (std::size_t slot = 0; slot < job_.slots.size(); ++slot)
        if (const int group = job_.ranks[rank].groups[slot]; group >= 0)
          of_group[at(group)].push_back(joined(slot, ranks_[rank]));
    for (std::size_t group = 0; group < groups_.size(); ++group)
      for (const Load& load : loads_[group])
        of_group[group].push_back(joined(load.on_it, links_[at(load.link)]));
    for (std::size_t group = 0; group < groups_.size(); ++group)
      groups_[group] = of_all(groups_[group], of_group[group]);
    std::vector<Colour> around;
    for (std::size_t link = 0; link < links_.size(); ++link) {
      around.clear();
      for (const Load& load : groups_on_[link])
        around.push_back(joined(load.on_it, groups_[at(load.link)]));
      links_[link] = of_all(links_[link], around);
    }
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      for (std::size_t slot = 0; slot < job_.slots.size(); ++slot)
        if (const int group = job_.ranks[rank].groups[slot]; group >= 0)
          ranks_[rank] = joined(ranks_[rank], joined(slot, groups_[at(group)]));
  }

  const JobProgram& job_;
  const std::vector<GroupTraffic>& traffic_;
  const Machine& machine_;
  const FoldingRules rules_;
  std::vector<bool> may_be_filled_;  // by LinkId
  std::vector<Colour> ranks_, groups_, links_;
  std::vector<std::vector<Load>> loads_;      // by group
  std::vector<std::vector<Load>> groups_on_;  // by link; its `link` is a group
};

}  // namespace

RankFolding fold_ranks(const JobProgram& job, const std::vector<double>& slowdown,
                       const std::vector<GroupTraffic>& traffic, const Machine& machine,
                       const FoldingRules& rules) {
  return Refinement(job, traffic, machine, rules).run(slowdown);
}

}  // namespace trainyard

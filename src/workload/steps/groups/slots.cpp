#include "workload/steps/groups/slots.hpp"

#include "workload/steps/groups/rank_grid.hpp"

#include <numeric>

namespace trainyard {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

class GroupWriter {
public:
  GroupWriter(JobProgram& job, const RankGrids& grids) : job_(job), grids_(grids) {
    job_.ranks.resize(index(grids_.dense.ranks()));
    for (int rank = 0; rank < grids_.dense.ranks(); ++rank)
      job_.ranks[index(rank)].program = grids_.dense.coordinate(rank, "pp");
  }

  int add(const std::string& name, Dimension dimension,
          const std::vector<std::vector<int>>& groups) {
    const int slot = add_slot(name, dimension);
    for (const std::vector<int>& members : groups)
      if (members.size() > 1) add_group(slot, members);
    return slot;
  }

  struct Path {
    std::string axis;
    int width;
    int shift;   // from each rank to the one so much further on the axis
    bool round;  // from the last to the first, too
  };
  TransferSlots add_transfers(const std::string& name, Dimension dimension, const Path& path) {
    const TransferSlots slots{add_slot(name + "_out", dimension),
                              add_slot(name + "_in", dimension)};
    for (int rank = 0; path.width > 1 && rank < grids_.dense.ranks(); ++rank) {
      const int next = grids_.dense.coordinate(rank, path.axis) + path.shift;
      if (!path.round && (next < 0 || next == path.width)) continue;
      const int there = (next + path.width) % path.width;
      const int peer = grids_.dense.moved(rank, path.axis, there);
      job_.groups.push_back({slots.out, {rank, peer}});
      const int group = static_cast<int>(job_.groups.size()) - 1;
      job_.ranks[index(rank)].groups[index(slots.out)] = group;
      job_.ranks[index(peer)].groups[index(slots.in)] = group;
    }
    return slots;
  }

private:
  int add_slot(const std::string& name, Dimension dimension) {
    job_.slots.push_back({name, dimension});
    for (RankRole& role : job_.ranks) role.groups.push_back(-1);
    return static_cast<int>(job_.slots.size()) - 1;
  }

  void add_group(int slot, const std::vector<int>& members) {
    job_.groups.push_back({slot, members});
    for (const int rank : members)
      job_.ranks[index(rank)].groups[index(slot)] = static_cast<int>(job_.groups.size()) - 1;
  }

  JobProgram& job_;
  const RankGrids& grids_;
};

// Groups along data and context, cut into shard groups, or one rank of each.
std::vector<std::vector<int>> shard_groups(const RankGrid& grid, int shard) {
  std::vector<std::vector<int>> result;
  for (const std::vector<int>& whole : grid.groups({"cp", "dp"}))
    for (std::size_t first = 0; first < whole.size(); first += index(shard))
      result.emplace_back(whole.begin() + static_cast<std::ptrdiff_t>(first),
                          whole.begin() + static_cast<std::ptrdiff_t>(first + index(shard)));
  return result;
}

std::vector<std::vector<int>> replica_groups(const RankGrid& grid, int shard) {
  std::vector<std::vector<int>> result;
  for (const std::vector<int>& whole : grid.groups({"cp", "dp"}))
    for (std::size_t part = 0; part < index(shard); ++part) {
      result.emplace_back();
      for (std::size_t at = part; at < whole.size(); at += index(shard))
        result.back().push_back(whole[at]);
    }
  return result;
}

// Of the ranks along the pipeline, pairs of stages: the ends, or all that mirror each other.
std::vector<std::vector<int>> mirrored_stages(const RankGrid& grid, int pairs) {
  std::vector<std::vector<int>> result;
  for (const std::vector<int>& line : grid.groups({"pp"}))
    for (std::size_t i = 0; i < index(pairs); ++i)
      result.push_back({line[i], line[line.size() - 1 - i]});
  return result;
}

void add_pipeline(GroupWriter& groups, Slots& slots, const Layout& layout) {
  const int p = layout.pipeline;
  const bool both_ways = layout.schedule == PipelineSchedule::DualPipe;
  const bool round = layout.schedule == PipelineSchedule::Interleaved;
  const auto add = [&](const char* name, int shift) {
    return groups.add_transfers(name, Dimension::Pipeline, {"pp", p, shift, round});
  };
  slots.forward_next = add("pp_forward", 1);
  slots.backward_previous = add("pp_backward", -1);
  if (both_ways) {
    slots.forward_previous = add("pp_forward_back", -1);
    slots.backward_next = add("pp_backward_back", 1);
  }
}

}  // namespace

Slots add_groups(JobProgram& job, const ModelSpec& model, const Layout& layout,
                 const Widths& widths) {
  const RankGrids grids = rank_grids(layout, widths);
  const RankGrid& dense = grids.dense;
  GroupWriter groups(job, grids);
  Slots slots;
  slots.tensor = groups.add("tp", Dimension::Tensor, dense.groups({"tp"}));
  if (layout.context_exchange == ContextExchange::Ring)
    slots.context_ring =
        groups.add_transfers("cp", Dimension::Context, {"cp", widths.context, 1, true});
  else
    slots.context = groups.add("cp", Dimension::Context, dense.groups({"cp"}));
  slots.shard = groups.add(
      "dp", Dimension::Data,
      shard_groups(dense, layout.zero == 0 ? widths.context * widths.data : widths.shard));
  if (layout.zero > 0)
    slots.replicas =
        groups.add("dp_replicas", Dimension::Data, replica_groups(dense, widths.shard));
  if (model.experts.count > 0) {
    slots.expert = groups.add("ep", Dimension::Expert, grids.experts.groups({"ep"}));
    slots.expert_data = groups.add("expert_dp", Dimension::Data, grids.experts.groups({"dp"}));
  }
  add_pipeline(groups, slots, layout);
  if (layout.schedule == PipelineSchedule::DualPipe)
    slots.mirror =
        groups.add("pp_mirror", Dimension::Data, mirrored_stages(dense, widths.pipeline / 2));
  else if (model.tied_embeddings && widths.pipeline > 1)
    slots.embedding = groups.add("embedding", Dimension::Pipeline, mirrored_stages(dense, 1));
  if (layout.clip_gradients) {
    std::vector<int> all(index(dense.ranks()));
    std::iota(all.begin(), all.end(), 0);
    slots.world = groups.add("world", Dimension::Other, {all});
  }
  return slots;
}

}  // namespace trainyard

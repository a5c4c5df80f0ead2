// NVLS: the node's NVSwitch adds up and copies, so each GPU moves S(1 + 1/g) per direction in an
// all-reduce instead of a ring's 2S(g-1)/g.
//
// To reduce, every GPU's whole buffer is read into the switch, and GPU l gets the sum of share l;
// to gather, GPU l stores share l into the switch, which copies it to all (to l itself too). Over
// several nodes, nvls_tree: the node reduces, share l goes through NCCL's double binary tree over
// the nodes along rail l, the node gathers; all three are pipelined.
#include "collectives/algorithms.hpp"
#include "collectives/algorithms/shape.hpp"
#include "collectives/algorithms/trees.hpp"

#include <utility>

namespace trainyard {
namespace {

// The switch of a node, as a rank of the schedule.
Rank switch_of(const Shape& shape, int node) { return Rank{shape.ranks() + node}; }

enum class Through { Reduce, Gather, Both };

// Share l up or down at each local rank l of every node, and the whole buffer the other way.
Phase through_switch(const Collective& collective, Through through) {
  const Shape shape = shape_of(collective);
  InSwitch in_switch;
  for (int node = 0; node < shape.nodes; ++node)
    for (int local = 0; local < shape.local_ranks; ++local) {
      const Bytes share = chunk_bytes(collective.size, shape.local_ranks, local);
      SwitchPort port{shape.at(node, local), switch_of(shape, node), bytes(0), bytes(0)};
      if (through != Through::Gather) port.up += collective.size, port.down += share;
      if (through != Through::Reduce) port.up += share, port.down += collective.size;
      in_switch.ports.push_back(port);
    }
  return {std::move(in_switch), through == Through::Both ? 2 : 1};
}

// Two steps; share l is the chunks of that l in `chunks`, of which there are equally many each.
void append_reduce(Schedule& schedule, const Shape& shape) {
  const int per_share = schedule.chunks / shape.local_ranks;
  Step up;
  Step down;
  for (int node = 0; node < shape.nodes; ++node)
    for (int chunk = 0; chunk < schedule.chunks; ++chunk) {
      const Rank tree = switch_of(shape, node);
      for (int local = 0; local < shape.local_ranks; ++local)
        up.push_back({shape.at(node, local), tree, chunk, /*reduce=*/true, chunk});
      down.push_back({tree, shape.at(node, chunk / per_share), chunk, /*reduce=*/false, chunk});
    }
  schedule.steps.push_back(std::move(up));
  schedule.steps.push_back(std::move(down));
}

void append_gather(Schedule& schedule, const Shape& shape) {
  const int per_share = schedule.chunks / shape.local_ranks;
  Step up;
  Step down;
  for (int node = 0; node < shape.nodes; ++node)
    for (int chunk = 0; chunk < schedule.chunks; ++chunk) {
      const Rank tree = switch_of(shape, node);
      up.push_back({shape.at(node, chunk / per_share), tree, chunk, /*reduce=*/false, chunk});
      for (int local = 0; local < shape.local_ranks; ++local)
        down.push_back({tree, shape.at(node, local), chunk, /*reduce=*/false, chunk});
    }
  schedule.steps.push_back(std::move(up));
  schedule.steps.push_back(std::move(down));
}

std::vector<Phase> one_phase(const Collective& collective, Through through) {
  if (collective.ranks == 1) return {};
  return {through_switch(collective, through)};
}

Schedule one_schedule(const Collective& collective, Through through) {
  Schedule schedule{collective.ranks, collective.ranks, {}, Pace::Streamed, /*switches=*/1};
  if (collective.ranks == 1) return schedule;
  const Shape shape = shape_of(collective);
  if (through != Through::Gather) append_reduce(schedule, shape);
  if (through != Through::Reduce) append_gather(schedule, shape);
  return schedule;
}

Tree rail_tree(const Shape& shape, int rail, bool second) {
  std::vector<Rank> places;
  for (int node = 0; node < shape.nodes; ++node) places.push_back(shape.at(node, rail));
  return make_tree(binary_tree_parents(shape.nodes, second), places);
}

}  // namespace

bool nvls_applies(const Collective& collective) { return is_one_node(collective); }
bool nvls_tree_applies(const Collective& collective) { return is_several_nodes(collective); }

std::vector<Phase> nvls_all_reduce_phases(const Collective& collective) {
  return one_phase(collective, Through::Both);
}
std::vector<Phase> nvls_reduce_scatter_phases(const Collective& collective) {
  return one_phase(collective, Through::Reduce);
}
std::vector<Phase> nvls_all_gather_phases(const Collective& collective) {
  return one_phase(collective, Through::Gather);
}
Schedule nvls_all_reduce(const Collective& collective) {
  return one_schedule(collective, Through::Both);
}
Schedule nvls_reduce_scatter(const Collective& collective) {
  return one_schedule(collective, Through::Reduce);
}
Schedule nvls_all_gather(const Collective& collective) {
  return one_schedule(collective, Through::Gather);
}

std::vector<Phase> nvls_tree_phases(const Collective& collective) {
  if (collective.ranks == 1) return {};
  const Shape shape = shape_of(collective);
  std::vector<Edge> edges;
  int depth = 0;
  for (int rail = 0; rail < shape.local_ranks; ++rail)
    for (const bool second : {false, true}) {
      const Tree tree = rail_tree(shape, rail, second);
      const Bytes half =
          chunk_bytes(collective.size, 2 * shape.local_ranks, 2 * rail + (second ? 1 : 0));
      append_edges(tree, half, edges);
      depth = tree.depth();
    }
  Phase gather = through_switch(collective, Through::Gather);
  gather.with_previous = true;
  return {through_switch(collective, Through::Reduce),
          {std::move(edges), 2 * depth, /*with_previous=*/true},
          std::move(gather)};
}

Schedule nvls_tree(const Collective& collective) {
  if (collective.ranks == 1) return {1, 1, {}};
  const Shape shape = shape_of(collective);
  const int trees = 2 * shape.local_ranks;
  const int chunks = tree_chunks(collective.size / trees);
  Schedule schedule{collective.ranks, trees * chunks, {}, Pace::Streamed, shape.nodes};
  append_reduce(schedule, shape);
  const int start = static_cast<int>(schedule.steps.size());
  for (int tree = 0; tree < trees; ++tree)
    append_streamed(schedule, rail_tree(shape, tree / 2, /*second=*/tree % 2 != 0),
                    {start, tree * chunks, chunks, /*channel=*/tree});
  append_gather(schedule, shape);
  return schedule;
}

}  // namespace trainyard

#include "study/whatif/straggler_graph.hpp"

#include "base/error.hpp"
#include "study/whatif/straggler_graph_maker.hpp"

#include <algorithm>
#include <set>

namespace trainyard {

namespace {

using Op = StragglerOp;

bool has(const StragglerTimeline& timeline, Op type) {
  return std::any_of(timeline.operations.begin(), timeline.operations.end(),
                     [&](const TimelineOperation& o) { return o.type == type; });
}

}  // namespace

StragglerGraphMaker::StragglerGraphMaker(const StragglerTimeline& timeline, const std::string& file)
    : file_(file),
      stages_(timeline.stages),
      data_parallel_(timeline.dp_ranks > 1 || has(timeline, Op::ParamsAllGather) ||
                     has(timeline, Op::GradsReduceScatter)),
      overlapped_(has(timeline, Op::SeparateGradsAllReduce)) {
  for (const TimelineOperation& operation : timeline.operations) {
    if (operation.step != timeline.steps.front() || operation.dp_rank != 0) break;
    index_[{operation.stage, static_cast<int>(operation.type), operation.sequence}] =
        static_cast<int>(graph_.operations.size());
    graph_.operations.push_back(operation);
    chunks_ = std::max(chunks_, operation.chunk + 1);
  }
  graph_.after.resize(graph_.operations.size());
}

StragglerGraph StragglerGraphMaker::make() {
  for (int stage = 0; stage < stages_; ++stage) {
    chain(computations(stage));
    transfers(stage);
    data_parallelism(stage);
    after_last_backward(stage);
  }
  pair_transfers();
  together();
  order_tasks();
  return std::move(graph_);
}

std::optional<int> StragglerGraphMaker::find(Op type, int sequence, int stage) const {
  const auto found = index_.find({stage, static_cast<int>(type), sequence});
  if (found == index_.end()) return std::nullopt;
  return found->second;
}

std::vector<int> StragglerGraphMaker::all(Op type, int stage) const {
  std::vector<int> result;
  for (auto i = index_.lower_bound({stage, static_cast<int>(type), -1});
       i != index_.end() && std::get<0>(i->first) == stage &&
       std::get<1>(i->first) == static_cast<int>(type);
       ++i)
    result.push_back(i->second);
  return result;
}

std::vector<int> StragglerGraphMaker::computations(int stage) const {
  std::vector<int> result = all(Op::ForwardCompute, stage);
  const std::vector<int> backward = all(Op::BackwardCompute, stage);
  result.insert(result.end(), backward.begin(), backward.end());
  std::stable_sort(result.begin(), result.end(),
                   [&](int a, int b) { return operation(a).start < operation(b).start; });
  if (result.empty()) fail(stage, "no computation");
  return result;
}

const TimelineOperation& StragglerGraphMaker::operation(int index) const {
  return graph_.operations[static_cast<std::size_t>(index)];
}

Seconds StragglerGraphMaker::end(int index) const {
  return operation(index).start + operation(index).duration;
}

void StragglerGraphMaker::wait(int index, int for_index) {
  graph_.after[static_cast<std::size_t>(index)].push_back(for_index);
}

void StragglerGraphMaker::chain(const std::vector<int>& operations) {
  for (std::size_t i = 1; i < operations.size(); ++i) wait(operations[i], operations[i - 1]);
}

void StragglerGraphMaker::fail(int stage, const std::string& problem) const {
  throw InputError(
      {file_},
      "step " + std::to_string(graph_.operations.front().step) + ", stage " + std::to_string(stage),
      problem);
}

void StragglerGraphMaker::data_parallelism(int stage) {
  if (!data_parallel_) return;
  std::vector<int> order = all(Op::ParamsAllGather, stage);
  const std::vector<int> reductions = all(Op::GradsReduceScatter, stage);
  order.insert(order.end(), reductions.begin(), reductions.end());
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return operation(a).start < operation(b).start; });
  chain(order);
  gathers_before_forwards(stage);
  if (overlapped_) reductions_after_backwards(stage);
}

// The last gather of a chunk comes before the chunk's first forward.
void StragglerGraphMaker::gathers_before_forwards(int stage) {
  const std::vector<int> gathers = all(Op::ParamsAllGather, stage);
  std::set<int> seen;
  for (auto gather = gathers.rbegin(); gather != gathers.rend(); ++gather) {
    if (!seen.insert(operation(*gather).chunk).second) continue;
    for (const int computation : computations(stage)) {
      if (operation(computation).type != Op::ForwardCompute ||
          operation(computation).chunk != operation(*gather).chunk)
        continue;
      wait(computation, *gather);
      break;
    }
  }
}

// The first reduction of a chunk comes after the chunk's last backward.
void StragglerGraphMaker::reductions_after_backwards(int stage) {
  std::set<int> seen;
  for (const int reduction : all(Op::GradsReduceScatter, stage)) {
    if (!seen.insert(operation(reduction).chunk).second) continue;
    int last = -1;
    for (const int backward : all(Op::BackwardCompute, stage))
      if (operation(backward).chunk == operation(reduction).chunk &&
          (last < 0 || end(last) < end(backward)))
        last = backward;
    if (last >= 0) wait(reduction, last);
  }
}

void StragglerGraphMaker::after_last_backward(int stage) {
  const std::vector<int> order = computations(stage);
  std::vector<int> tail = {
      *std::max_element(order.begin(), order.end(), [&](int a, int b) { return end(a) < end(b); })};
  const auto add = [&](Op type) {
    for (const int i : all(type, stage)) tail.push_back(i);
  };
  add(Op::Gc);
  const std::size_t first_reduction = tail.size();
  add(Op::LayernormGradsAllReduce);
  add(Op::EmbeddingGradsAllReduce);
  if (data_parallel_) add(overlapped_ ? Op::SeparateGradsAllReduce : Op::GradsReduceScatter);
  add(Op::OptimizerClipMainGrad);
  add(Op::Optimizer);
  chain(tail);
  const std::vector<int> scattered = all(Op::GradsReduceScatter, stage);
  if (overlapped_ && !scattered.empty() && first_reduction < tail.size())
    wait(tail[first_reduction], scattered.back());
}

// What starts together, transfers between stages apart.
void StragglerGraphMaker::together() {
  std::map<std::pair<int, int>, StragglerGraph::Task> shared;  // (type, sequence)
  for (std::size_t i = 0; i < graph_.operations.size(); ++i) {
    const TimelineOperation& o = graph_.operations[i];
    if (o.type >= Op::ForwardSend && o.type <= Op::BackwardRecv) continue;
    const bool clip = o.type == Op::OptimizerClipMainGrad;
    if (clip || o.type == Op::EmbeddingGradsAllReduce) {
      StragglerGraph::Task& task = shared[{static_cast<int>(o.type), o.sequence}];
      task.members.push_back(static_cast<int>(i));
      task.across_data_ranks = clip;
    } else {
      const bool data = o.type == Op::ParamsAllGather || o.type == Op::GradsReduceScatter ||
                        o.type == Op::SeparateGradsAllReduce;
      graph_.tasks.push_back({{static_cast<int>(i)}, data});
    }
  }
  for (auto& [key, task] : shared) graph_.tasks.push_back(std::move(task));
}

StragglerGraph straggler_graph(const StragglerTimeline& timeline, const std::string& file) {
  return StragglerGraphMaker(timeline, file).make();
}

}  // namespace trainyard

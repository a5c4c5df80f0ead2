// Transfers between pipeline stages: which computation each serves, and which two are one.

#include "study/whatif/straggler_graph_maker.hpp"

#include <algorithm>

namespace trainyard {

namespace {

// Of one rank's clock, between a transfer's end and the computation that it feeds.
constexpr Seconds kClockError = microseconds(50);

using Op = StragglerOp;

bool is_send(Op type) { return type == Op::ForwardSend || type == Op::BackwardSend; }
bool is_forward(Op type) { return type == Op::ForwardSend || type == Op::ForwardRecv; }

// Towards which stage the other end is.
int direction(Op type) { return is_forward(type) == is_send(type) ? 1 : -1; }

Op other_end(Op type) {
  switch (type) {
    case Op::ForwardSend:
      return Op::ForwardRecv;
    case Op::ForwardRecv:
      return Op::ForwardSend;
    case Op::BackwardSend:
      return Op::BackwardRecv;
    default:
      return Op::BackwardSend;
  }
}

}  // namespace

void StragglerGraphMaker::transfers(int stage) {
  for (const Op type : {Op::ForwardSend, Op::ForwardRecv, Op::BackwardSend, Op::BackwardRecv}) {
    chain(all(type, stage));
    match_computations(type, is_forward(type) ? Op::ForwardCompute : Op::BackwardCompute, stage);
  }
  first_backward(stage);
}

// Recorders log receives after the last computation that could use them, and sends before the first
// that could fill them: nothing is transferred. The others serve the computations in order, but for
// the very first, which need not have been logged (interleaved pipelines).
void StragglerGraphMaker::match_computations(Op type, Op computation, int stage) {
  std::vector<int> used;
  for (const int i : all(type, stage))
    if (takes_place(type, i)) used.push_back(i);
  const std::vector<int> served = all(computation, stage);
  if (used.empty()) return;
  const std::size_t skipped = !is_send(type) && used.size() + 1 == served.size() ? 1 : 0;
  if (used.size() + skipped > served.size() || used.size() + 1 < served.size())
    fail(stage, std::to_string(used.size()) + " of " + to_string(type) + " for " +
                    std::to_string(served.size()) + " of " + to_string(computation));
  for (std::size_t k = 0; k < used.size(); ++k) {
    const int serves = served[k + skipped];
    if (!leaves_the_model(type, serves))
      real_transfers_[{stage, static_cast<int>(type)}].push_back(used[k]);
    if (is_send(type)) {
      wait(used[k], serves);
    } else {
      wait(serves, used[k]);
      if (k + skipped > 0) wait(used[k], served[k + skipped - 1]);
    }
  }
}

bool StragglerGraphMaker::takes_place(Op type, int index) const {
  const TimelineOperation& transfer = operation(index);
  const std::vector<int> served =
      all(is_forward(type) ? Op::ForwardCompute : Op::BackwardCompute, transfer.stage);
  if (served.empty()) return false;
  if (is_send(type)) {
    const int first = *std::min_element(served.begin(), served.end(),
                                        [&](int a, int b) { return end(a) < end(b); });
    return end(index) >= end(first) - kClockError;
  }
  const int last = *std::max_element(served.begin(), served.end(), [&](int a, int b) {
    return operation(a).start < operation(b).start;
  });
  return transfer.start <= operation(last).start + kClockError;
}

// The model's first chunk receives nothing from before it, its last sends nothing on.
bool StragglerGraphMaker::leaves_the_model(Op type, int computation) const {
  const TimelineOperation& o = operation(computation);
  const int peer = std::max(0, o.chunk) * stages_ + o.stage + direction(type);
  return peer < 0 || peer >= chunks_ * stages_;
}

// The n-th that takes place at one end is the n-th at the other; the rest are alone.
void StragglerGraphMaker::pair_transfers() {
  std::vector<bool> paired(graph_.operations.size(), false);
  for (const auto& [place, transfers] : real_transfers_) {
    const auto [stage, type_number] = place;
    const Op type = static_cast<Op>(type_number);
    const int peer = (stage + direction(type) + stages_) % stages_;
    const auto others = real_transfers_.find({peer, static_cast<int>(other_end(type))});
    const std::size_t count = others == real_transfers_.end() ? 0 : others->second.size();
    if (count != transfers.size())
      fail(stage, std::to_string(transfers.size()) + " of " + to_string(type) + ", but " +
                      std::to_string(count) + " of " + to_string(other_end(type)) + " in stage " +
                      std::to_string(peer));
    for (std::size_t k = 0; k < count; ++k) {
      paired[static_cast<std::size_t>(transfers[k])] = true;
      if (is_send(type)) graph_.tasks.push_back({{transfers[k], others->second[k]}, false});
    }
  }
  for (std::size_t i = 0; i < paired.size(); ++i) {
    const Op type = graph_.operations[i].type;
    if (type >= Op::ForwardSend && type <= Op::BackwardRecv && !paired[i])
      graph_.tasks.push_back({{static_cast<int>(i)}, false});
  }
}

// The first backward's transfers wait for the forward before the last one before it.
void StragglerGraphMaker::first_backward(int stage) {
  const std::vector<int> order = computations(stage);
  const auto first = std::find_if(order.begin(), order.end(),
                                  [&](int i) { return operation(i).type == Op::BackwardCompute; });
  if (first == order.end() || first - order.begin() < 2) return;
  for (const Op type : {Op::BackwardRecv, Op::BackwardSend})
    if (const std::optional<int> transfer = find(type, 0, stage)) wait(*transfer, *(first - 2));
}

}  // namespace trainyard

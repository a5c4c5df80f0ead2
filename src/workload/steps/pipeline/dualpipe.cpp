// DualPipe's order, in the eight steps of its authors' code.
#include "workload/steps/pipeline/schedule.hpp"

#include <algorithm>
#include <array>
#include <deque>

namespace trainyard {

namespace {

using Kind = StagePass::Kind;

// Lists passes by phase: 0 is the way on which the stage is in the first half.
class DualPipeWriter {
public:
  DualPipeWriter(int stages, int micro_batches, int stage)
      : swapped_(stage >= stages / 2 ? 1 : 0),
        half_(stages / 2),
        nearness_(std::min(stage, stages - 1 - stage)),
        overlapped_(micro_batches / 2 - stages + nearness_ + 1) {}

  StageSchedule write() {
    const int to_middle = half_ - nearness_ - 1;
    const int to_edge = nearness_ + 1;
    for (int i = 0; i < 2 * to_middle; ++i) forward(0);
    for (int i = 0; i < to_edge; ++i) forward(0), forward(1);
    for (int i = 0; i < to_middle; ++i) inputs(1), weights(), forward(1);
    for (int i = 0; i < overlapped_; ++i) {
      if (i == 0 && to_middle == 0)
        forward(0), backward(1);  // apart: the middle has nothing to hide behind yet
      else
        beside(0, 1);
      beside(1, 0);
    }
    for (int i = 0; i < to_middle; ++i) backward(1), beside(1, 0);
    drain(to_edge);
    for (int i = 0; i < to_middle; ++i) weights(), inputs(0);
    for (int i = 0; i < to_edge; ++i) weights();
    return std::move(passes_);
  }

private:
  // Half of the last backward passes put their weight gradients off.
  void drain(int to_edge) {
    bool part = false;
    for (int i = 0; i < to_edge; ++i) {
      if (i == to_edge / 2 && nearness_ % 2 == 1) part = true;
      part ? inputs(1) : backward(1);
      if (i == to_edge / 2 && nearness_ % 2 == 0) part = true;
      part ? inputs(0) : backward(0);
    }
  }

  void beside(int forward_phase, int backward_phase) {
    forward(forward_phase);
    passes_.back().beside_next = true;
    backward(backward_phase);
  }
  void forward(int phase) { add(Kind::Forward, phase, forwards_); }
  void backward(int phase) { add(Kind::Backward, phase, backwards_); }
  void inputs(int phase) {
    add(Kind::InputGradients, phase, backwards_);
    put_off_.push_back(passes_.back());
  }
  void weights() {
    StagePass pass = put_off_.front();
    put_off_.pop_front();
    pass.kind = Kind::WeightGradients;
    passes_.push_back(pass);
  }

  void add(Kind kind, int phase, std::array<int, 2>& count) {
    const int way = phase ^ swapped_;
    StagePass pass{kind, count[static_cast<std::size_t>(way)]++};
    pass.chunk = way;
    passes_.push_back(pass);
  }

  int swapped_;
  int half_;        // half of the stages
  int nearness_;    // to the edge: 0 at either end
  int overlapped_;  // rounds of the main step
  StageSchedule passes_;
  std::array<int, 2> forwards_{}, backwards_{};
  std::deque<StagePass> put_off_;
};

}  // namespace

StageSchedule dualpipe(int stages, int micro_batches, int stage) {
  return DualPipeWriter(stages, micro_batches, stage).write();
}

}  // namespace trainyard

// How a StragglerGraph is put together: the part that the files of its rules share.
#pragma once

#include "study/whatif/straggler_graph.hpp"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace trainyard {

class StragglerGraphMaker {
public:
  StragglerGraphMaker(const StragglerTimeline& timeline, const std::string& file);
  StragglerGraph make();

private:
  using Op = StragglerOp;

  // -- the stage's operations --
  std::optional<int> find(Op type, int sequence, int stage) const;
  std::vector<int> all(Op type, int stage) const;  // by sequence
  std::vector<int> computations(int stage) const;  // by start
  const TimelineOperation& operation(int index) const;
  Seconds end(int index) const;
  void wait(int index, int for_index);
  void chain(const std::vector<int>& operations);
  [[noreturn]] void fail(int stage, const std::string& problem) const;

  // -- transfers between stages (straggler_transfers.cpp) --
  void transfers(int stage);
  void match_computations(Op type, Op computation, int stage);
  bool takes_place(Op type, int index) const;
  bool leaves_the_model(Op type, int computation) const;
  void pair_transfers();
  void first_backward(int stage);

  // -- the rest of a step --
  void data_parallelism(int stage);
  void gathers_before_forwards(int stage);
  void reductions_after_backwards(int stage);
  void after_last_backward(int stage);
  void together();

  void order_tasks();

  const std::string& file_;
  int stages_, chunks_ = 1;
  bool data_parallel_, overlapped_;
  std::map<std::tuple<int, int, int>, int> index_;  // (stage, type, sequence)
  std::map<std::pair<int, int>, std::vector<int>>
      real_transfers_;  // (stage, type): those not empty
  StragglerGraph graph_;
};

}  // namespace trainyard

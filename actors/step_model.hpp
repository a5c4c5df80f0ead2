// What the ranks of one job do in one step, on the GPUs it was given: the Program made concrete.
//
// Ranks that are provably alike form one class and are played by one actor (folding). A tensor
// group whose GPUs are equally fast is a unit, because every tensor collective makes its ranks wait
// for each other; units are alike when their GPUs are equally fast and their NVLinks have the same
// speed and carry the same load of other collectives. Ranks of a group with unequal GPUs stand
// alone. Where there is no tensor collective, ranks are alike by their tensor index and speed;
// where a rank may start a data collective ahead of its group, nothing is folded. A tensor
// collective that has its links to itself takes a constant time: it is folded into the computation
// around it and its bytes are credited per step.
//
// INVARIANT: playing the folded model gives the same step times and link bytes as the unfolded one.
#pragma once

#include "actors/machine.hpp"
#include "network/choice/algorithm_choice.hpp"
#include "network/network.hpp"
#include "workload/job.hpp"
#include "workload/program.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace trainyard {

// What a rank's time goes into: what its step's waterfall is made of. The communication of a
// dimension counts only where nothing is computed meanwhile; Wait is for other ranks to come.
enum class Spent {
  Compute,
  LaunchGap,
  Pause,
  Checkpoint,
  Tensor,
  Context,
  Expert,
  Data,
  Pipeline,
  Other,
  Wait
};
constexpr std::size_t kSpentKinds = 11;
const char* to_string(Spent spent);  // "compute", "launch_gap", .. "tensor", .. "wait"
using TimeSpent = std::array<double, kSpentKinds>;  // seconds

// A stretch of a delay, at the GPU's own pace.
struct DelayPart {
  double seconds = 0;
  double computing = 0;             // of these; nothing slows the rest down
  double flops = 0, hbm_bytes = 0;  // of what is computed, where its program says so
};

// What an operation is called, and what its time goes into: a delay may be many operations of a
// Program, and collectives among them.
struct OperationLabel {
  std::string name;
  TimeSpent spent{};
  double flops = 0;                   // of a delay, where its program says so
  std::vector<DelayPart> parts = {};  // of a delay that computes, one after another
};

// What computing costs while the rank's GPU takes part in collectives.
class OverlapRule {
public:
  virtual ~OverlapRule() = default;
  // How many times longer a stretch of a delay takes beside these collectives; at least 1. A
  // channel by its index, a folded one by -1 - index.
  virtual double slowdown(const DelayPart& part, const std::vector<int>& collectives) const = 0;
};

struct PlayOperation {
  double seconds = 0;  // a delay, unless `channel` says otherwise
  int channel = -1;    // a collective: index into StepModel::channels
  int tickets = 0;     // how many ranks of the class take part
  int waits_for = 0;   // operations of this class that must end first
  int label = -1;      // index into StepModel::labels; -1: has none
  int stream = 0;      // of the program
  int resident = -1;   // a delay that is a collective: index into StepModel::folded
  std::vector<int> enables;
};

struct RankClass {
  std::vector<int> ranks;
  std::vector<PlayOperation> operations;
  std::vector<int> folded = {};  // index into StepModel::folded: done in each of its steps
};

// One collective of the program on one communicator; it starts when all tickets are in. Those of
// one lane (a stream of one communicator) follow each other and never overlap.
struct Channel {
  std::shared_ptr<const CollectiveSpec> spec;  // shared by channels that are the same
  Lowered groups;
  int tickets = 0;
  int lane = 0;
  ChosenBy chosen_by = ChosenBy::Default;  // its algorithm
  std::string name = {};                   // "tp[3]": of the process group, where there are such
};

// A link that the job's collectives cross, and how fast they can fill it at most.
struct LinkUse {
  LinkId link;
  double peak = 0;  // bytes/s when every lane plays what loads the link most, each at its own speed
};

struct StepModel {
  std::vector<RankClass> classes;
  std::vector<Channel> channels;
  std::vector<Channel> folded;     // played inside delays; credited per step
  std::vector<LinkUse> links;      // every link the job's collectives cross, ascending
  std::vector<std::string> notes;  // algorithms that did not apply and what was used instead
  std::vector<OperationLabel> labels = {};
  std::vector<int> replica_of_rank = {};  // which data replica a rank is in; none: each its own
  std::shared_ptr<const OverlapRule> overlap = {};  // none: computing beside a collective is free
};

struct StepModelOptions {
  int tensor = 1;  // width of a tensor group; divides the ranks
  bool fold = true;
  std::string no_trees =
      {};  // why the fabric's switches may not add up for the job, if they may not
};

StepModel make_step_model(const Program& program, const Allocation& allocation,
                          const StepModelOptions& options, const Machine& machine);

}  // namespace trainyard

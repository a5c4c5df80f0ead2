// One attempt of one job: starts its training ranks, follows their steps, and kills them.
//
// What must survive the ranks belongs to JobProgress, because an actor can be killed at any
// simcall. The attempt keeps the books: how its wall time was spent, what each step cost and whose
// fault that was.
//
// A suspended attempt stands still: its flows leave the links, its ranks keep what they have.
//
// INVARIANT: restart + checkpoint + work + lost + suspended = end - start; steps_saved never
// exceeds steps done.
#pragma once

#include "actors/checkpointing.hpp"
#include "actors/compute_variation.hpp"
#include "actors/iteration_recorder.hpp"
#include "actors/program_player.hpp"
#include "actors/time_compression.hpp"
#include "actors/waiter.hpp"
#include "actors/wiring.hpp"
#include "sim/messages.hpp"
#include "sim/simulation.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

// What outlives an attempt.
struct JobProgress {
  std::int64_t steps_total = 1;
  std::int64_t steps_saved = 0;
  int attempts = 0;
  bool resizing = false;  // the last attempt left to go on with another number of GPUs
};

// How an attempt is to be run.
struct AttemptSpec {
  const Job* job = nullptr;
  Allocation allocation;
  StepModel model;
  StepCosts costs;
  CheckpointRule checkpoint;
  Seconds restart;       // before the first step of this attempt
  Seconds resize_write;  // after its last, if it leaves to be resized
  ComputeVariation variation;
};

// What an attempt works with; all of it outlives the attempt.
struct JobStepParts {
  // Works out an attempt's links and costs anew, on the routes that are left.
  using Reroute = std::function<void(AttemptSpec&, const JobProgress&)>;

  Simulation& simulation;
  TimeCompression& compression;
  IterationRecorder& recorder;
  SchedulerInbox& scheduler;
  Wiring* wiring = nullptr;  // none: no link can fail
  Reroute reroute = {};
};

class JobStep final : private StepListener, public Compressible, public RoutesUser {
public:
  JobStep(AttemptSpec spec, JobProgress& progress, const JobStepParts& parts);
  ~JobStep();

  void start();

  // From the scheduler's actor: ends the attempt now. Its ranks are gone when this returns.
  void kill();
  // Asks the ranks to finish the step they are in, write a checkpoint and leave. An AttemptEnded
  // follows. False if there is nothing to wait for (still restarting, or suspended): kill it.
  bool checkpoint_and_stop();
  // Asks the ranks to leave after the step they are in, with nothing lost, for an attempt of
  // another size. An AttemptEnded follows. False if it is suspended.
  bool leave_to_resize();
  // Stops it where it is, and lets it go on from there. In turn; not under network model `simgrid`.
  void suspend();
  void resume();

  // The books, closed at this moment. After kill() or AttemptEnded.
  AttemptRecord record(JobState state, const std::string& cause) const;

  const Allocation& allocation() const { return spec_.allocation; }
  int attempt() const { return attempt_; }
  const Job& job() const { return *spec_.job; }
  // Its ranks have left by themselves, with every step done: nothing can happen to it any more.
  bool completed() const { return ended_ < forever() && steps_done() >= progress_.steps_total; }

  // ---- what a Trainer does, for its class ----
  void pay_restart(int rank_class);
  bool has_steps_left(int rank_class) const;
  void play_step(int rank_class);
  void save_if_due(int rank_class);
  void leave(int rank_class);

  // ---- Compressible ----
  Domain domain() const override { return spec_.job->id.value(); }
  const std::vector<LinkUse>& links() const override { return spec_.model.links; }
  Seconds jump_budget(Seconds mean_step) const override;
  void jump(Seconds elapsed, Seconds mean_step) override;

  // ---- RoutesUser ----
  void routes_changing() override;
  void routes_changed() override;

private:
  struct ClassState {
    std::int64_t steps = 0;  // ended, jumps not included
    bool left = false;
    std::unique_ptr<Waiter> waiter;
    simgrid::s4u::ActorPtr actor;
  };

  void class_ended_step(int rank_class) override;
  void wait(int rank_class, Seconds duration);
  std::int64_t step_of(int rank_class) const;  // steps of the job this class has ended
  std::int64_t steps_done() const;             // that all classes have ended
  std::int64_t furthest_step() const;          // that any class has begun, plus one
  void step_ended();
  std::int64_t steps_since_checkpoint() const;  // one that is being written counts as written
  Seconds varied(Seconds step, const Blame& blame) const;
  void book(double steps, Seconds mean_step, StepCosts& sums) const;
  void book_jump(const Stretch& stretch, Seconds mean_step);
  void pass_over(std::int64_t steps);
  IterationRecorder::StepFact fact_of(std::int64_t first_step, Seconds start,
                                      Seconds duration) const;
  void leave_after(std::int64_t step, Seconds write);
  void decide_checkpoint(std::int64_t step);
  Seconds write_of(std::int64_t step) const;
  void saved(std::int64_t step);
  void detach();
  Seconds suspended_until(Seconds end) const;
  // Its ranks are stepping, and steps can be jumped over.
  bool in_compression() const;

  AttemptSpec spec_;
  JobProgress& progress_;
  Simulation& simulation_;
  TimeCompression& compression_;
  IterationRecorder& recorder_;
  SchedulerInbox& scheduler_;
  Wiring* wiring_;
  JobStepParts::Reroute reroute_;
  const int attempt_;
  const std::int64_t first_step_;
  std::unique_ptr<DurationRule> durations_;  // none: ranks compute as their programs say
  std::unique_ptr<ProgramPlayer> player_;
  std::vector<ClassState> classes_;
  std::int64_t jumped_ = 0;
  Seconds carried_;                          // time of jumps that was not a whole step
  std::int64_t last_saved_step_ = 0;         // of this attempt, or where it resumed
  std::int64_t last_decided_ = 0;            // the last step whose checkpoint was decided
  std::map<std::int64_t, int> checkpoints_;  // decided, by step: how many classes have written
  std::int64_t stop_after_ = -1;             // leave after this step's checkpoint
  Seconds stop_write_;                       // which takes so long
  int restarted_ = 0;                        // classes that have paid the restart
  Seconds started_, ended_ = forever();      // forever: the ranks have not left by themselves
  std::optional<Fluid::Instant> suspended_since_;  // of a suspension that is not over
  Seconds suspended_;                              // in all, of those that are
  Fluid::Instant began_, step_began_, last_save_;
  Seconds restart_, checkpoint_;           // wall time
  StepCosts saved_costs_, unsaved_costs_;  // sums over steps whose work is saved, and is not yet
  Blame recent_blame_;                     // of the steps simulated since the last jump
  bool detached_ = false;
};

}  // namespace trainyard

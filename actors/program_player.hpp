// Plays a StepModel on a Fluid and a Network: starts what is ready, gathers the tickets of
// collectives, and tells when a class has ended its step. Pure: it lives in completions, without
// actors and without SimGrid, so that a job's training actors and the evaluation of an isolated
// step play in exactly the same way.
#pragma once

#include "actors/step_model.hpp"
#include "network/network.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace trainyard {

class StepListener {
public:
  virtual void class_ended_step(int rank_class) = 0;

protected:
  ~StepListener() = default;
};

// Told of every operation: what explains a step. Of a delay, `began` is when it starts; of a
// collective, when the class came to it. Its transfer starts when the last ticket is in.
class PlayObserver {
public:
  virtual void operation_began(int rank_class, int operation) = 0;
  virtual void collective_started(int channel, int last_class) = 0;
  virtual void operation_ended(int rank_class, int operation) = 0;

protected:
  ~PlayObserver() = default;
};

// What makes a rank compute longer than its program says, now and then.
class DurationRule {
public:
  virtual ~DurationRule() = default;
  virtual void step_begins(int rank_class) = 0;
  // Of a delay that starts now, whose program says `nominal`; at least 0.
  virtual double seconds(int rank_class, int operation, double nominal) = 0;
};

class ProgramPlayer final : private Listener {
public:
  // An operation that a class has come to and that has not ended.
  struct Waiting {
    int rank_class, operation;
  };

  // The model, fluid and network must outlive the player.
  ProgramPlayer(const StepModel& model, Fluid& fluid, Network& network, Domain domain,
                StepListener& listener);
  ~ProgramPlayer();
  ProgramPlayer(const ProgramPlayer&) = delete;
  ProgramPlayer& operator=(const ProgramPlayer&) = delete;

  void observe(PlayObserver& observer) { observer_ = &observer; }
  void vary(DurationRule& rule) { durations_ = &rule; }

  void start_step(int rank_class);

  // The collectives that classes have come to and that others have not, by channel.
  std::vector<Waiting> waiting() const;

  // Withdraws everything under way: the job's ranks are gone. Once: after that, the domain may
  // belong to the job's next attempt.
  void stop();

  // Time went by while the domain was frozen.
  void stood_still(Seconds elapsed);
  // As if `steps` more steps had been played (time compression).
  void credit_steps(double steps);

private:
  struct ClassState {
    std::vector<int> waits_for;
    int left = 0;
    std::vector<int> running;   // delays under way that collectives slow down
    std::vector<int> resident;  // collectives under way (OverlapRule), likewise
  };
  struct Delay {
    Fluid::Handle handle = -1;
    double scale = 1;  // how much longer than its program says it takes this time
    double done = 0;   // of its own seconds, at `since`
    Fluid::Instant since;
  };
  struct ChannelState {
    Network::Prepared prepared = -1;
    int tickets = 0;
    std::vector<Waiting> joined;
  };

  Network::Prepared prepared(const Channel& channel);
  void completed(std::int64_t tag) override;
  void begin(int rank_class, int operation);
  void begin_delay(int rank_class, int operation);
  void set_resident(int rank_class, int collective);
  void clear_resident(int rank_class, int collective);
  void change_residents(int rank_class, std::vector<int> resident);
  void end_running(int rank_class, int operation);
  const std::vector<DelayPart>& parts_of(int rank_class, int operation) const;
  double left_of(int rank_class, int operation) const;
  void join(int channel, int rank_class, int operation);
  void end(int rank_class, int operation);

  const StepModel& model_;
  Fluid& fluid_;
  Network& network_;
  const Domain domain_;
  StepListener& listener_;
  PlayObserver* observer_ = nullptr;
  DurationRule* durations_ = nullptr;
  bool stopped_ = false;
  std::vector<ClassState> classes_;
  std::vector<ChannelState> channels_;
  std::vector<Network::Prepared> folded_;
  std::vector<Network::Prepared> prepared_;  // all of them, in the order they were made
  std::unordered_map<const CollectiveSpec*, Network::Prepared> by_spec_;
  std::vector<std::vector<Delay>> delays_;  // under way, by class and operation
};

}  // namespace trainyard

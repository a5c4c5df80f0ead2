// Time compression: a training job repeats one step a million times; simulate until the mean is
// known, then jump.
//
// Jobs that can fill a link together form a component. Two jobs with unequal periods never settle
// on equal steps, so what must settle is the mean: when for every job of the component the tapered
// means of three overlapping windows (halves, of at least 50 steps each) agree within 0.5 %,
// everything in the component is frozen in phase. It thaws when the jump has been long enough, when
// the first job comes near its end, or when anything else touches the component (a job starts on
// its links, a member ends, fails or is preempted), and each job is told how long it stood still:
// it advances by that time over its mean step. A job alone on its links settles after two equal
// steps. A component that does not settle within 400 steps a job jumps anyway, and the jump is
// flagged.
//
// A mean that looks settled may belong to a slow beat, or to a regime that ends after hundreds of
// steps. So a jump is never longer than five times what was simulated since the component last
// changed, or twice the time it has lasted (once and half, if it is flagged); then it goes on where
// it stood, and what is seen next joins what was seen before: the longer the run, the better its
// means. Equal steps need no such caution.
//
// A flagged component wanders in a band that its windows have shown. If it comes out of a jump
// within that band (every job's mean since then, over 100 steps a job in all), it need not be
// watched for 400 steps again: what was known is confirmed, and with each confirmation in a row the
// next jump may be twice as long, up to what an unflagged one may be.
#pragma once

#include "actors/link_sharing.hpp"
#include "network/fluid.hpp"
#include "report/event_log.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace trainyard {

// What a job attempt must offer to be jumped over.
class Compressible {
public:
  virtual Domain domain() const = 0;
  virtual const std::vector<LinkUse>& links() const = 0;
  // Time until it should be simulated again, at this mean step: close before its last step. Zero:
  // not now.
  virtual Seconds jump_budget(Seconds mean_step) const = 0;
  // It stood still for so long: advance by that time over the mean step.
  virtual void jump(Seconds elapsed, Seconds mean_step) = 0;

protected:
  ~Compressible() = default;
};

class TimeCompression final : private Listener {
public:
  TimeCompression(Fluid& fluid, std::size_t links, bool enabled);

  void enter(Compressible& job);                         // it starts: its links become shared
  void leave(Compressible& job);                         // it ends, for whatever reason
  void touch(Compressible& job);                         // something is about to happen to it: thaw
  void step_ended(Compressible& job, Seconds duration);  // without checkpoints

  // Who books what a jump has moved: it must call `credit`, once.
  using OnJump = std::function<void(Seconds elapsed, const std::function<void()>& credit)>;
  void on_jump(OnJump on_jump) { on_jump_ = std::move(on_jump); }

  const CompressionRecord& record() const { return record_; }
  void count_jumped(std::int64_t steps) { record_.steps_jumped += steps; }

private:
  struct Member {
    Compressible* job = nullptr;
    std::vector<double> steps;  // durations since the component last changed; only the last ones
    double mean = 0, band = 0;  // as of now; band: what its windows' means differ by, relative
    double jumped_mean = 0, jumped_band = 0;  // as of the last jump
    std::size_t seen = 0;                     // of `steps`, before the last jump
    bool equal_steps = false;
    int component = -1;
  };
  static constexpr std::size_t kGiveUp = 400;  // steps a job, then jump anyway
  struct Component {
    std::vector<Domain> jobs;  // ascending
    bool frozen = false, used = false;
    std::size_t steps = 0;  // simulated since the component last changed, of all jobs
    std::size_t judge_at = 0, give_up_at = 0;  // so many steps
    bool flagged = false;                      // its last jump was capped
    int confirmed = 0;                         // in a row
    Fluid::Instant since, frozen_at;           // since: it last changed or thawed
    Seconds watched;                           // how long it was simulated since it last changed
    Seconds jumped;                            // and how long it was jumped over
    Fluid::Handle timer = -1;
    std::vector<LinkId> shared;            // those that couple its jobs
    std::vector<double> saturated;         // of those links, while it was watched
    std::vector<double> saturated_before;  // the same links' totals at `since`
  };

  void completed(std::int64_t component) override;  // the jump's budget is spent
  void regroup(const std::vector<Domain>& jobs);
  void make_component(std::vector<Domain> jobs);
  void thaw(int component);
  void consider(int component);
  bool settled(Member& member, bool alone) const;
  bool worn_out(const Component& component) const;
  bool confirmed(const Component& component) const;
  Seconds jump_length(const Component& component, bool capped) const;
  void freeze(int component, bool capped);
  void note_saturation(Component& component);

  Fluid& fluid_;
  OnJump on_jump_ = [](Seconds /*elapsed*/, const std::function<void()>& credit) { credit(); };
  const bool enabled_;
  std::map<Domain, Member> members_;
  LinkSharing sharing_;
  std::vector<Component> components_;
  CompressionRecord record_;
};

}  // namespace trainyard

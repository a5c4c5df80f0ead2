// A small cluster made by hand, with jobs running on it and waiting for it: what policies look at.
//
// Nothing here decides: it says what is, carries out what a policy said, and checks that it could.
#pragma once

#include "base/rng.hpp"
#include "schedulers/cluster.hpp"
#include "schedulers/registry.hpp"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace trainyard {

struct Ask {
  int gpus = 1;
  Seconds limit = forever();
  std::int64_t priority = 0;
  int per_block = 1;
  std::vector<int> sizes{};
};

// Nodes of equal size, leaf by leaf; no links, because no scheduler looks at them.
Platform small_platform(int nodes, int gpus_per_node, int nodes_per_leaf = 1);

class World {
public:
  explicit World(const Platform& platform) : platform_(platform), cluster_(platform_) {}
  World(const World&) = delete;

  JobId submit(const Ask& ask);
  JobId run(const Ask& ask, const std::vector<int>& gpus, Seconds started = seconds(0));
  void end(JobId job);
  void requeue(JobId job);  // its GPUs come back, and it waits again
  void mark_releasing(JobId job) { attempts_.at(job).releasing = true; }
  void leave_to_resize(JobId job);  // told to resize, it has left and waits
  void preemption_takes_time() { preemption_is_immediate_ = false; }

  ClusterView view(Seconds now = seconds(0)) const;
  // Throws if a decision is not valid after those before it. A preempted job waits again.
  void carry_out(const std::vector<Decision>& decisions, Seconds now = seconds(0));

  Cluster& cluster() { return cluster_; }
  const Cluster& cluster() const { return cluster_; }
  const Platform& platform() const { return platform_; }
  const Job& job(JobId id) const { return jobs_[id.index()]; }

private:
  struct Attempt {
    Seconds started;
    bool releasing = false;
  };
  void carry_out_start(const Start& start, Seconds now);
  void carry_out_preempt(const Preempt& preempt);
  void carry_out_resize(const Resize& resize);
  JobId add(const Ask& ask);

  Platform platform_;
  Cluster cluster_;
  std::deque<Job> jobs_;
  std::vector<JobId> pending_;
  std::map<JobId, Attempt> attempts_;
  std::map<JobId, int> resizing_;
  bool preemption_is_immediate_ = true;
};

// Random nodes, some down; random jobs on some of them, some releasing; random jobs waiting.
std::unique_ptr<World> random_world(RandomStream& random);

Allocation gpus(const std::vector<int>& ids);
std::unique_ptr<SchedulingPolicy> policy_named(const std::string& name);
std::unique_ptr<Placement> placement_named(const std::string& name, std::uint64_t seed = 1);

Job asking(int gpus, int per_block = 1, int id = 0);
// The GPUs that a placement gives to a job, or none.
std::vector<int> place(const std::string& name, const Job& job, const World& world,
                       std::uint64_t seed = 1);

// "start 3 on 0 1 2", "preempt 1 for 3"
std::vector<std::string> in_words(const std::vector<Decision>& decisions);
// What `policy` with first_fit says, in words.
std::vector<std::string> decide(const std::string& policy, const ClusterView& view);

// Why the allocation does not meet the job's request for blocks; "" if it does.
std::string block_problem(const Job& job, const Allocation& allocation, const Platform& platform);

}  // namespace trainyard

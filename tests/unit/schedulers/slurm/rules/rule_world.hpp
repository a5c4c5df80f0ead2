// A small cluster to try one rule of Slurm at a time on: the site in slurm.conf's words, jobs in
// sbatch's.
#pragma once

#include "schedulers/slurm/replay/replay.hpp"
#include "schedulers/slurm/site/site.hpp"

#include <deque>
#include <string>
#include <vector>

namespace trainyard::slurm {

// slurm.conf with "SelectType=select/cons_tres" before it; `topology`: topology.conf, if any.
SlurmSite rule_site(const std::string& conf, SlurmVersion version = kSlurm2205,
                    const std::string& topology = "");

// A job of the first partition (or of `partitions`) with these options of sbatch. As in the golden
// scenarios each task has a node of its own.
SlurmJob rule_job(const SlurmSite& site, const std::string& id, const std::string& options,
                  const std::string& partitions = "");

// A cluster at one instant: some nodes are busy, and one job after the other is tried at once.
class Instant {
public:
  explicit Instant(SlurmSite site, Time now = 3600);

  // Whole nodes, until minutes from now.
  void occupy(const std::string& nodes, int minutes = 60);
  // A job that has just been submitted and waits; its index.
  int queue(const std::string& options, const std::string& partitions = "");
  // The nodes that it gets now, "n01,n02", or its reason in parentheses.
  std::string try_now(const std::string& options, const std::string& partitions = "");
  std::string submit_refusal(const std::string& options);
  // "300: n01,n02": when and where backfill expects it; "never".
  std::string forecast(const std::string& options);

  SlurmState& state() { return state_; }
  const SlurmSite& site() const { return site_; }

private:
  SlurmSite site_;
  SlurmState state_;
  std::deque<SlurmJob> jobs_;
};

// One job of a story: when it comes and how long it really runs.
struct Line {
  std::string id;
  double at = 0, run = 60;
  std::string options = "", partitions = "";
};

// What the controller did with them.
class Story {
public:
  Story(SlurmSite site, const std::vector<Line>& lines, const std::vector<GoldenEvent>& events = {},
        double until = 7200);

  double start(const std::string& id, int run = 0) const;  // -1: never
  double end(const std::string& id, int run = 0) const;
  std::string end_state(const std::string& id, int run = 0) const;  // "" if it never started
  std::string nodes(const std::string& id, int run = 0) const;
  const JobRecord& record(const std::string& id) const;
  const ReplayResult& result() const { return result_; }

private:
  const Segment* segment(const std::string& id, int run) const;

  SlurmSite site_;
  std::vector<SlurmJob> jobs_;
  std::vector<GoldenEvent> events_;
  Replay replay_;
  ReplayResult result_;
};

}  // namespace trainyard::slurm

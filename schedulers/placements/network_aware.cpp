// Network-aware: of several places, the one where least work is predicted to be lost to contention.
//
// It minimises predicted_loss() (contention.hpp): GPUs times the part by which the newcomer's step
// is longer than in its best place, and by which its traffic lengthens the steps of the jobs that
// run. The traffic is the fabric model's: the bytes that each job's collectives, as chosen, lowered
// and routed, put on every link in a step, over the length of that step alone.
//
// The places it weighs: where pack_by_leaf puts the job; packed under each leaf that holds all of
// it; packed into as few leaves next to each other as hold it, from each leaf on; and packed into
// the leaves with the fewest GPUs of jobs that cross leaves. No more than kMostPlaces are weighed.
// Of equal ones the first wins, so a job without traffic, or without anybody to disturb, is packed.
#include "schedulers/placements/contention.hpp"
#include "schedulers/registry.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace trainyard {

namespace {

constexpr std::size_t kMostPlaces = 24;

using Leaves = std::vector<SwitchId>;

class NetworkAware final : public Placement {
public:
  explicit NetworkAware(PlacementOptions options)
      : options_(std::move(options)), pack_(make_pack_by_leaf(options_)) {}

  bool looks_at_neighbours() const override { return true; }

  Allocation place(const Job& job, const Room& room) const override {
    Allocation packed = pack_->place(job, room);
    if (packed.gpus.empty() || job.plan < 0 || !options_.traffic) return packed;
    const std::vector<Neighbour> neighbours = neighbours_in(room);
    if (neighbours.empty()) return packed;
    return best_of(places(job, room, std::move(packed)), job, neighbours);
  }

private:
  Allocation best_of(std::vector<Allocation> places, const Job& job,
                     const std::vector<Neighbour>& neighbours) const {
    std::vector<JobTraffic> traffic;
    Seconds best_step = forever();
    for (const Allocation& place : places) {
      traffic.push_back(options_.traffic(job, place));
      best_step = std::min(best_step, traffic.back().step);
    }
    std::size_t best = 0;
    double least =
        predicted_loss({job.gpus, traffic[0], best_step}, neighbours, options_.capacities);
    for (std::size_t i = 1; i < places.size(); ++i) {
      const double loss =
          predicted_loss({job.gpus, traffic[i], best_step}, neighbours, options_.capacities);
      if (loss >= least - 1e-9) continue;  // rounding is no reason to leave the packed place
      least = loss;
      best = i;
    }
    return std::move(places[best]);
  }

  // Who runs does not move, so its traffic is worked out once an attempt.
  std::vector<Neighbour> neighbours_in(const Room& room) const {
    std::vector<Neighbour> neighbours;
    std::map<JobId, Known> still;
    for (const RunningJob& running : room.neighbours) {
      if (running.job->plan < 0) continue;
      const auto known = known_.find(running.job->id);
      Known now = known != known_.end() && known->second.gpus == running.allocation->gpus
                      ? known->second
                      : Known{running.allocation->gpus,
                              options_.traffic(*running.job, *running.allocation)};
      neighbours.push_back({running.job->gpus, now.traffic});
      still.emplace(running.job->id, std::move(now));
    }
    known_ = std::move(still);
    return neighbours;
  }

  std::vector<Allocation> places(const Job& job, const Room& room, Allocation packed) const {
    std::vector<Allocation> places = {std::move(packed)};
    const Leaves leaves = leaves_of(room.platform);
    for (std::size_t first = 0; first < leaves.size(); ++first) {
      Leaves some;
      for (std::size_t i = first; i < leaves.size(); ++i) {
        some.push_back(leaves[i]);
        if (add(job, room, some, places)) break;
      }
    }
    Leaves some;
    for (const SwitchId leaf : quietest_first(leaves, room)) {
      some.push_back(leaf);
      if (add(job, room, some, places)) break;
    }
    return places;
  }

  // Packs the job into these leaves; false if they do not hold it.
  bool add(const Job& job, const Room& room, const Leaves& leaves,
           std::vector<Allocation>& places) const {
    if (places.size() >= kMostPlaces) return true;
    const std::set<SwitchId> inside(leaves.begin(), leaves.end());
    std::vector<int> free_per_node = room.free_per_node;
    for (std::size_t node = 0; node < free_per_node.size(); ++node)
      if (inside.count(room.platform.nodes[node].leaf) == 0) free_per_node[node] = 0;
    Allocation place = pack_->place(job, {room.platform, room.free, free_per_node});
    if (place.gpus.empty()) return false;
    const auto same = [&](const Allocation& other) { return other.gpus == place.gpus; };
    if (std::none_of(places.begin(), places.end(), same)) places.push_back(std::move(place));
    return true;
  }

  static Leaves leaves_of(const Platform& platform) {
    std::set<SwitchId> leaves;
    for (const Node& node : platform.nodes) leaves.insert(node.leaf);
    return {leaves.begin(), leaves.end()};
  }

  // By how many GPUs under them belong to jobs that cross leaves.
  static Leaves quietest_first(Leaves leaves, const Room& room) {
    std::map<SwitchId, int> crossing;
    for (const RunningJob& running : room.neighbours) {
      std::map<SwitchId, int> under;
      for (const GpuId gpu : running.allocation->gpus) ++under[room.platform.node_of(gpu).leaf];
      if (under.size() < 2) continue;
      for (const auto& [leaf, gpus] : under) crossing[leaf] += gpus;
    }
    std::stable_sort(leaves.begin(), leaves.end(),
                     [&](SwitchId a, SwitchId b) { return crossing[a] < crossing[b]; });
    return leaves;
  }

  struct Known {
    std::vector<GpuId> gpus;
    JobTraffic traffic;
  };

  const PlacementOptions options_;
  const std::unique_ptr<Placement> pack_;
  mutable std::map<JobId, Known> known_;  // of the jobs that ran when last asked
};

}  // namespace

std::unique_ptr<Placement> make_network_aware(const PlacementOptions& options) {
  return std::make_unique<NetworkAware>(options);
}

}  // namespace trainyard

// The `flow` model: every phase of a collective is one coupled flow group; phases follow each
// other.
//
// When links go down, what crosses them stalls until the transport's next retransmission and then
// goes on over the routes that are left; if there is none, it tries again as often as the transport
// does, and then its communicator aborts. When links come back, everything takes the routes it had.
// What starts meanwhile takes the routes that are left from the start.
#pragma once

#include "network/network.hpp"

#include <functional>
#include <map>
#include <vector>

namespace trainyard {

// InfiniBand's reliable transport as NCCL sets it: NCCL_IB_TIMEOUT 20, that is 4.096 us x 2^20, and
// NCCL_IB_RETRY_CNT 7.
struct Transport {
  Seconds timeout = microseconds(4.096 * (1 << 20));
  int retries = 7;
};

class FlowNetwork final : public Network, private Listener {
public:
  // How a collective is lowered now, on the routes that are left.
  using Lower = std::function<Lowered(const CollectiveSpec&)>;
  using Abort = std::function<void(Domain, LinkId)>;

  explicit FlowNetwork(Fluid& fluid) : fluid_(fluid) {}

  // Must be called before anything is prepared, if links may go down. `abort` is told of a
  // communicator that gives up and the link it waited for; its collective never ends.
  void expect_link_failures(Lower lower, Transport transport, Abort abort);
  // After the routes that `lower` uses have changed.
  void links_down(const std::vector<LinkId>& links);
  void links_up(const std::vector<LinkId>& links);

  Prepared prepare(std::shared_ptr<const CollectiveSpec> spec, Lowered groups) override;
  void drop(Prepared collective) override;
  void start(Prepared collective, Domain domain, Listener* listener, std::int64_t tag) override;
  void withdraw_all(Domain domain) override;
  Stall take_stalled(Domain domain) override;
  void credit(Prepared collective, double times) override;
  std::vector<double> link_bytes() const override { return fluid_.link_bytes(); }
  bool can_freeze() const override { return true; }

private:
  // The phases of a collective on one set of routes; dropped when nobody plays it any more.
  using Patterns = std::shared_ptr<const std::vector<Fluid::PatternId>>;
  struct Collective {
    std::shared_ptr<const CollectiveSpec> spec;
    Patterns patterns;
    int routes = 0;  // the version it was lowered on
  };
  struct Run {
    Prepared collective = -1;
    Patterns patterns;
    std::size_t phase = 0;
    Domain domain = kNoDomain;
    Listener* listener = nullptr;
    std::int64_t tag = 0;
    Fluid::Handle handle = -1;
    bool active = false;
    std::optional<double> left;  // of its phase, while it is stalled; more than 1: with its latency
    int tries = 0;               // retransmissions since it stalled
  };

  void completed(std::int64_t run) override;  // a phase has ended, or a retransmission is due
  void play(std::size_t run);
  Patterns add_patterns(const Lowered& groups);
  const Patterns& current(Collective& collective);
  LinkId down_link(const Run& run) const;  // that its phase crosses; invalid if none
  void leave_links(Run& run);
  void stall(std::size_t run);
  void wait(std::size_t run);
  void note_stalled(Domain domain, int more);
  void go_on(std::size_t run);
  void retransmit(std::size_t run);
  void abort(std::size_t run, LinkId link);
  void end(std::size_t run);

  Fluid& fluid_;
  Lower lower_;
  Transport transport_;
  Abort abort_;
  int routes_ = 0;          // how often they have changed
  std::vector<char> down_;  // by LinkId; empty while no link has failed
  struct Stalled {
    int runs = 0;  // that stand still now
    Fluid::Instant since;
    Seconds total;
    LinkId link;
  };
  std::map<Domain, Stalled> stalled_;
  std::vector<Collective> collectives_;
  std::vector<Prepared> unused_collectives_;
  std::vector<Run> runs_;
  std::vector<std::size_t> unused_runs_;
};

}  // namespace trainyard

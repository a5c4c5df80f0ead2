// The `simgrid` model: every transfer of a collective's Schedule is a communication under SimGrid's
// own max-min solver (CM02). The reference that the flow model is tested against, at small scale.
//
// Played message by message, each as soon as what it waits for (collectives/messages.hpp) has
// ended. Latency (the schedule's critical path) is paid before the first transfer, so that sharing
// never depends on it. One path a pair: `spray` cannot be expressed here, nor can switches that add
// up.
#pragma once

#include "collectives/verify.hpp"
#include "network/network.hpp"

#include <simgrid/s4u.hpp>

#include <map>
#include <vector>

namespace trainyard {

class SimgridNetwork final : public Network, private Listener {
public:
  SimgridNetwork(Fluid& fluid, std::vector<simgrid::s4u::Host*> hosts, const Platform& platform,
                 const Routing& routing);

  Prepared prepare(std::shared_ptr<const CollectiveSpec> spec, Lowered groups) override;
  void drop(Prepared collective) override;
  void start(Prepared collective, Domain domain, Listener* listener, std::int64_t tag) override;
  void withdraw_all(Domain domain) override;
  void credit(Prepared collective, double times) override;
  std::vector<double> link_bytes() const override { return bytes_; }
  bool can_freeze() const override { return false; }

private:
  struct Message {  // one transfer of one communicator
    GpuId from, to;
    Bytes size;
    int waits_for = 0;
    std::vector<int> enables;
  };
  struct Prepare {
    std::vector<Message> messages;
    Seconds latency;
  };
  struct Run {
    Prepared collective = -1;
    Domain domain = kNoDomain;
    Listener* listener = nullptr;
    std::int64_t tag = 0;
    Fluid::Handle latency = -1;
    std::vector<int> waits_for;
    std::map<int, simgrid::s4u::CommPtr> under_way;  // by message
    int left = 0;
  };
  struct Flight {
    std::int64_t run;
    int message;
  };

  void completed(std::int64_t run) override;  // the latency has been paid
  void send(std::int64_t run, int message);
  void arrived(std::int64_t run, int message);
  void finish(std::int64_t run);
  static void spell_out(const CollectiveSpec& spec, const Schedule& schedule,
                        const std::vector<GpuId>& gpus, Prepare& prepare);

  Fluid& fluid_;
  std::vector<simgrid::s4u::Host*> hosts_;  // by GpuId
  const Routing& routing_;
  std::vector<Prepare> prepared_;
  std::map<std::int64_t, Run> runs_;
  std::map<const simgrid::s4u::Activity*, Flight> flights_;  // looked up, never iterated
  simgrid::s4u::CommPtr last_ended_;  // SimGrid goes on using it after telling of its end
  std::vector<double> bytes_;
  std::int64_t next_run_ = 0;
};

}  // namespace trainyard

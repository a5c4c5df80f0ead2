// Which nodes advance reservations leave to a job.
#pragma once

#include "schedulers/slurm/state.hpp"

namespace trainyard::slurm {

struct ReservedNodes {
  bool blocked = false;  // it may not run at all while a reservation lasts
  bool overlap = false;  // some nodes were taken away
  Time retry = 0;        // blocked: when to try again
  NodeSet allowed;
};

ReservedNodes reserved_nodes(const SlurmState& state, const JobRecord& record, Time start,
                             Time duration);

// The end of the first reservation that ends after `start`, or 0.
Time next_reservation_end(const SlurmState& state, Time start);

const AdvanceReservation* reservation_of(const SlurmState& state, const JobRecord& record);

}  // namespace trainyard::slurm

// AICB's own log and plan of communication (.csv): a row a collective, in order, the same on every
// rank. Sizes are bytes; times are not of computing, so the steps have none: the order, the groups
// and the bytes are what the file says.
//
// Groups of which a row does not say the size have the size that other rows say.
#pragma once

#include "workload/importers/recorded/rank_files.hpp"
#include "workload/importers/recorded/recorded_step.hpp"

namespace trainyard {

RecordedStep read_aicb(const RecordedOptions& options);

}  // namespace trainyard

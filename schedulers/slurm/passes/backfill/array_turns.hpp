// Which tasks of an array one backfill cycle tries: after one that finds no place no other; after
// one that has a place, so many more.
#pragma once

#include "schedulers/slurm/queue/queue.hpp"

#include <utility>

namespace trainyard::slurm {

class ArrayTurns {
public:
  // Whether it is not the task's turn.
  bool skips(const SlurmState& state, JobRecord& record) {
    if (!record.is_task()) return false;
    const std::pair<long, int> array{record.number, record.partition};
    if (rejected_ == array) return true;
    rejected_ = array;
    if (array_has_room(state, record)) return false;
    record.reason = "JobArrayTaskLimit";
    return true;
  }

  void started() { rejected_ = {0, -1}; }

  void reserved(const JobRecord& record, int most) {
    if (!record.is_task()) {
      rejected_ = {0, -1};
      return;
    }
    reserved_ = array_ == record.number ? reserved_ + 1 : 1;
    array_ = record.number;
    const int at_once = record.job->array_at_once;
    if (reserved_ < most && (at_once == 0 || reserved_ < at_once)) rejected_ = {0, -1};
  }

private:
  std::pair<long, int> rejected_{0, -1};
  long array_ = -1;
  int reserved_ = 0;
};

}  // namespace trainyard::slurm

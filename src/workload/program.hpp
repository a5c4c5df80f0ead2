// A Program: what one rank does in one step. Operations with dependencies, on streams.
//
// Operations of one stream run in the order listed (as CUDA streams do); an operation starts when
// the one before it on its stream and all of `after` have ended. Collectives name a group: the
// ranks of one tensor group, the ranks of one data group, or all ranks of the job.
//
// INVARIANT: `after` refers to earlier or later operations by index and has no cycle
// (dependency_cycle).
#pragma once

#include "base/quantity.hpp"
#include "collectives/collective.hpp"
#include "config/section.hpp"

#include <string>
#include <vector>

namespace trainyard {

// Of a flat plan's ranks. In a JobProgram (steps/job_program.hpp): Group{slot}.
enum class Group : int { Tensor, Data, World };

struct Operation {
  enum class Kind { Compute, Communicate };
  enum class Purpose {
    Work,
    LaunchGap,
    Pause,
    Checkpoint
  };  // of a Compute: what its time is called
  std::string name;
  Kind kind = Kind::Compute;
  Purpose purpose = Purpose::Work;
  int stream = 0;
  Seconds duration;      // Compute: on a GPU of nominal speed
  double flops = 0;      // Compute: of the model (recomputation included), 0 if not known
  double hbm_bytes = 0;  // Compute: memory traffic, 0 if not known
  CollectiveKind collective = CollectiveKind::AllReduce;  // Communicate
  std::string algorithm;                                  // "" lets the default be chosen
  Group group = Group::World;
  Bytes size;
  double skew = 1;  // AllToAllV: the largest pair over the mean
  std::vector<int> after;
};

struct Program {
  std::vector<Operation> operations;
  int streams() const;
};

// The first dependency cycle as names "a -> b -> a", each waiting for the next, or "" if there is
// none (stream order counts as a dependency).
std::string dependency_cycle(const Program& program);

// The key `operations` of the section, which the caller finishes:
//   - {name: forward, compute: 2 ms, stream: 0, after: [names]}
//   - {name: gradients, all_reduce: 64 MiB, group: data, algorithm: ring, stream: 1, after:
//   forward}
// Kinds: compute, all_reduce, all_gather, reduce_scatter, all_to_all (`skew: 1.3`: uneven, the
// largest pair over the mean), broadcast. Defaults: stream
// 0, group world, the kind's default algorithm. Unknown names, a zero size or time, and a cycle are
// errors with their place.
Program read_program(Section& section);

}  // namespace trainyard

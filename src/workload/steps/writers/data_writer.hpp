// DataWriter: how the ranks that share a model's part keep their parameters and gradients together.
//
// ZeRO 0: gradients all-reduced. 1 and 2: reduce-scattered, and the updated parameters
// all-gathered; in Megatron's buckets, beside computing if overlapped, otherwise a chunk at once.
// 3: a unit (layer, embedding, head) at a time, as FSDP: its parameters all-gathered before each
// use, one unit ahead, its gradients reduce-scattered. With hybrid sharding an all-reduce over the
// copies follows each reduce-scatter. Experts do the same among the ranks that hold them.
//
// FSDP's embedding and head belong to its root, which keeps its parameters until the backward pass.
#pragma once

#include "workload/steps/groups/slots.hpp"
#include "workload/steps/units.hpp"
#include "workload/steps/writers/program_writer.hpp"

#include <map>
#include <vector>

namespace trainyard {

class DataWriter {
public:
  DataWriter(ProgramWriter& writer, const Layout& layout, const Widths& widths, const Slots& slots,
             const std::vector<std::vector<Unit>>& chunks);

  struct At {
    int chunk, unit;
  };
  void start_step();
  void before_forward(At at);
  void before_backward(At at);
  void after_forward(At at);
  void after_backward(At at);
  enum class Turn { More, Last };        // whether this is the chunk's last micro-batch
  void after_weights(At at, Turn turn);  // the unit's gradients have been computed
  void finish_gradients();               // what follows waits for all reductions
  void finish_step();                    // after the optimizer

private:
  struct Chunk {
    std::vector<Unit> units;
    std::vector<Bucket> buckets;
    std::vector<std::vector<int>> gathers;  // by unit: what its next use waits for
    std::vector<bool> held;                 // ZeRO 3: whether a unit's parameters are there
  };
  std::int64_t bucket_parameters() const;
  bool gathers_before_use() const { return layout_.zero == 3; }
  bool gathers_after_update() const { return layout_.zero == 1 || layout_.zero == 2; }
  bool keeps_after_forward(const Unit& unit) const;
  bool reduces(Turn turn) const;
  void bring(At at, int computed);
  void use(At at);
  std::vector<int> gather(const Unit& unit, const std::vector<int>& after);
  void reduce(const Unit& unit);
  void reduce_on(int slot, std::int64_t parameters);
  int computed_before(std::size_t back) const;

  ProgramWriter& writer_;
  const Layout& layout_;
  const Widths& widths_;
  const Slots& slots_;
  std::vector<Chunk> chunks_;
  std::vector<int> computed_;        // the last computation of each unit so far, in order
  std::map<int, int> last_on_slot_;  // reductions
};

}  // namespace trainyard

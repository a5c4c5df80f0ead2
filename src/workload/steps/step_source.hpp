// Where the programs of a job come from, if not from a flat plan: a model and its layout, or a
// recorded step.
#pragma once

#include "workload/compute/efficiency.hpp"
#include "workload/steps/job_program.hpp"

#include <map>
#include <memory>

namespace trainyard {

class StepSource {
public:
  virtual ~StepSource() = default;
  // What so many ranks do; made once. Throws InfeasibleError where that cannot be.
  std::shared_ptr<const JobProgram> program(int gpus) const {
    std::shared_ptr<const JobProgram>& known = made_[gpus];
    if (!known) known = make_program(gpus);
    return known;
  }
  // GPUs that must be together on one node, of a job of so many: the tensor groups; divides `gpus`.
  virtual int gpus_per_block(int gpus, int gpus_per_node) const = 0;
  // GPUs of one data-parallel replica, where the number of replicas is free; 0: it is not.
  virtual int replica() const { return 0; }
  // Of the fullest GPU, as far as the plan tells; 0: it does not.
  virtual Bytes memory_used(int /*gpus*/) const { return Bytes(); }
  // Of GPUs whose computing slows down beside collectives; none: it does not.
  virtual const Efficiency* overlap_efficiency() const { return nullptr; }

protected:
  virtual std::shared_ptr<const JobProgram> make_program(int gpus) const = 0;

private:
  mutable std::map<int, std::shared_ptr<const JobProgram>> made_;
};

}  // namespace trainyard

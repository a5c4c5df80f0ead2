#include "workload/importers/simai/layout.hpp"

#include <cstdint>

namespace trainyard {

namespace {

// Groups of `size` ranks, `stride` apart, that fill blocks of size x stride ranks.
void add_groups(JobProgram& job, int slot, int size, int stride) {
  const int ranks = static_cast<int>(job.ranks.size());
  for (int block = 0; block < ranks; block += size * stride)
    for (int first = block; first < block + stride; ++first) {
      ProcessGroup group{slot, {}};
      for (int i = 0; i < size; ++i) {
        group.ranks.push_back(first + i * stride);
        job.ranks[static_cast<std::size_t>(group.ranks.back())]
            .groups[static_cast<std::size_t>(slot)] = static_cast<int>(job.groups.size());
      }
      job.groups.push_back(std::move(group));
    }
}

}  // namespace

std::string unfit(const ParallelSizes& s) {
  const std::int64_t of_a_replica = std::int64_t{s.tensor} * s.pipeline;
  const auto are = [](const std::string& what, std::int64_t count) {
    return what + " " + std::to_string(count);
  };
  if (s.ranks % of_a_replica != 0)
    return are("ranks", s.ranks) + " is no multiple of tensor x pipeline, " +
           std::to_string(of_a_replica);
  if (s.data() % s.expert != 0)
    return are("data ranks", s.data()) + " is no multiple of " + are("experts", s.expert);
  return "";
}

JobProgram laid_out(const ParallelSizes& s) {
  JobProgram job;
  job.slots = {{"tp", Dimension::Tensor},
               {"dp", Dimension::Data},
               {"ep", Dimension::Expert},
               {"dp_ep", Dimension::Data}};
  job.ranks.resize(static_cast<std::size_t>(s.ranks));
  for (RankRole& role : job.ranks) role.groups.resize(LaidOutSlots, -1);
  add_groups(job, TensorSlot, s.tensor, 1);
  add_groups(job, DataSlot, s.data(), s.tensor);
  add_groups(job, ExpertSlot, s.expert, s.tensor);
  add_groups(job, DataInExpertSlot, s.data() / s.expert, s.tensor * s.expert);
  return job;
}

}  // namespace trainyard

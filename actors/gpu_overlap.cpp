#include "actors/gpu_overlap.hpp"

#include <algorithm>
#include <string>

namespace trainyard {

namespace {

// NCCL gives a peer two channels where one NIC serves it (assumed for all peers).
constexpr int kSendRecvSms = 2;

Transport transport_of(const AlgorithmEntry& algorithm) {
  const std::string name = algorithm.name;
  if (name.rfind("nvls", 0) == 0) return Transport::Nvls;
  return name == "sharp" ? Transport::Sharp : Transport::Channels;
}

// What one rank sends of a ring, or of a plain transfer: the yardstick of a collective's traffic.
double sent_by_a_rank(const Collective& collective) {
  const double n = collective.ranks, size = static_cast<double>(collective.size.count());
  switch (collective.kind) {
    case CollectiveKind::AllReduce:
      return 2 * size * (n - 1) / n;
    case CollectiveKind::AllGather:
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::AllToAll:
    case CollectiveKind::AllToAllV:
      return size * (n - 1) / n;
    case CollectiveKind::Barrier:
      return 0;
    default:
      return size;
  }
}

Resident resident_of(const Channel& channel, const GpuType& gpu, const Capacities& capacities) {
  Resident resident;
  resident.cost = overlap_cost(gpu, transport_of(*channel.spec->algorithm));
  if (channel.spec->collective.kind == CollectiveKind::SendRecv) resident.cost.sms = kSendRecvSms;
  const double seconds = in_seconds(alone_duration(channel.groups, capacities));
  if (seconds > 0)
    resident.sent = bytes_per_second(sent_by_a_rank(channel.spec->collective) / seconds);
  return resident;
}

}  // namespace

GpuOverlap::GpuOverlap(const StepModel& model, const Efficiency& efficiency,
                       const Capacities& capacities)
    : gpu_(*find_gpu_type(efficiency.gpu)), efficiency_(efficiency) {
  for (const Channel& channel : model.channels)
    channels_.push_back(resident_of(channel, gpu_, capacities));
  for (const Channel& channel : model.folded)
    folded_.push_back(resident_of(channel, gpu_, capacities));
}

const Resident& GpuOverlap::resident(int collective) const {
  return collective >= 0 ? channels_[static_cast<std::size_t>(collective)]
                         : folded_[static_cast<std::size_t>(-1 - collective)];
}

double GpuOverlap::slowdown(const DelayPart& part, const std::vector<int>& collectives) const {
  if (part.computing <= 0) return 1;
  Resident all;
  for (const int collective : collectives) {
    const Resident& one = resident(collective);
    all.cost.sms = std::min(all.cost.sms + one.cost.sms, gpu_.sms / 2);
    all.cost.bytes_touched = std::max(all.cost.bytes_touched, one.cost.bytes_touched);
    all.sent = all.sent + one.sent;
  }
  const KernelMix mix =
      kernel_mix(efficiency_, Seconds(part.computing), part.flops, part.hbm_bytes);
  return 1 + (trainyard::slowdown(gpu_, mix, all) - 1) * part.computing / part.seconds;
}

}  // namespace trainyard

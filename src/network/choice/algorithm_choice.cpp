#include "network/choice/algorithm_choice.hpp"

#include "network/choice/communicator.hpp"
#include "network/choice/tuner_input.hpp"

namespace trainyard {

namespace {

ChosenAlgorithm chosen_by(ChosenBy by, const AlgorithmEntry& entry, const std::string& why) {
  ChosenAlgorithm chosen;
  chosen.by = by;
  chosen.choice.algorithm = &entry;
  chosen.choice.why = why;
  return chosen;
}

bool has_laws(const Calibration* calibration) { return calibration && !calibration->laws.empty(); }

}  // namespace

const char* to_string(ChosenBy by) {
  switch (by) {
    case ChosenBy::User:
      return "named";
    case ChosenBy::Measurement:
      return "measured";
    case ChosenBy::Tuner:
      return "NCCL's tuner";
    case ChosenBy::Default:
      return "default";
  }
  return "default";
}

bool AlgorithmChooser::follows_nccl() const {
  return has_laws(calibration_) || (rules_.tuned && !platform_.hardware.gpu.empty());
}

Collective AlgorithmChooser::on(const std::vector<GpuId>& gpus, CollectiveKind kind, Bytes size) {
  const auto [shape, is_new] = shapes_.try_emplace(gpus);
  if (is_new) {
    shape->second.ranks_per_node = ranks_per_node(gpus, platform_);
    if (follows_nccl()) shape->second.rings = nccl_rings(gpus, platform_);
  }
  Collective collective;
  collective.kind = kind;
  collective.ranks = static_cast<int>(gpus.size());
  collective.size = size;
  collective.ranks_per_node = shape->second.ranks_per_node;
  collective.rings = shape->second.rings;
  return collective;
}

std::string AlgorithmChooser::refusal(const AlgorithmEntry& entry, const Collective& collective,
                                      const std::vector<GpuId>& gpus) const {
  if (!entry.applies(collective))
    return std::string(entry.name) + " does not apply to " + std::to_string(collective.ranks) +
           " ranks, " + std::to_string(collective.ranks_per_node) + " a node in order";
  std::string reason = missing_hardware(entry.offload, gpus, platform_);
  if (reason.empty() && entry.offload != Offload::None) reason = rules_.no_offload;
  if (reason.empty() && entry.offload == Offload::Fabric) reason = rules_.no_trees;
  return reason.empty() ? "" : std::string(entry.name) + " cannot be played: " + reason;
}

ChosenAlgorithm AlgorithmChooser::unnamed(const Collective& collective,
                                          const std::vector<GpuId>& gpus) const {
  const CollectiveLaw* law = calibration_ ? find_law(*calibration_, collective.kind, "",
                                                     nodes_of(collective), collective.size)
                                          : nullptr;
  const AlgorithmEntry* measured = law ? find_algorithm(collective.kind, law->algorithm) : nullptr;
  if (measured && refusal(*measured, collective, gpus).empty())
    return chosen_by(ChosenBy::Measurement, *measured, "fitted best to " + law->source);
  std::optional<TunerInput> input;
  if (rules_.tuned) input = tuner_input(collective, gpus, platform_);
  if (input) {
    input->nvls = input->nvls && rules_.no_offload.empty();
    input->collnet = input->collnet && rules_.no_offload.empty() && rules_.no_trees.empty();
    ChosenAlgorithm chosen;
    chosen.choice = choose_algorithm(collective, *input, "");
    if (chosen.choice.nccl) {
      chosen.by = ChosenBy::Tuner;
      return chosen;
    }
  }
  return chosen_by(ChosenBy::Default, default_algorithm(collective), "the default");
}

ChosenAlgorithm AlgorithmChooser::choose(const Collective& collective,
                                         const std::vector<GpuId>& gpus,
                                         const std::string& named) const {
  const auto by_kind = rules_.named.find(collective.kind);
  const std::string& name =
      named.empty() && by_kind != rules_.named.end() ? by_kind->second : named;
  const AlgorithmEntry* wanted = find_algorithm(collective.kind, name);
  if (!wanted) return unnamed(collective, gpus);
  const std::string refused = refusal(*wanted, collective, gpus);
  if (refused.empty()) return chosen_by(ChosenBy::User, *wanted, "named by the user");
  ChosenAlgorithm chosen = unnamed(collective, gpus);
  chosen.note = refused + ": " + chosen.choice.algorithm->name + " is used instead";
  return chosen;
}

}  // namespace trainyard

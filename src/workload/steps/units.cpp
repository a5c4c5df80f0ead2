// What each virtual stage holds, and the buckets of its gradients.
#include "workload/steps/units.hpp"

#include <numeric>

namespace trainyard {

namespace {

Unit unit(Unit::Kind kind, int layer, const Parameters& parameters, const Widths& widths) {
  return {kind, layer, parameters.matrices / widths.tensor + parameters.replicated,
          parameters.experts / (std::int64_t{widths.expert} * widths.expert_tensor)};
}

}  // namespace

std::vector<Unit> units_of(const ModelSpec& model, const Layout& layout, const Widths& widths,
                           int virtual_stage) {
  const std::int64_t vocabulary = share_of(model, layout).vocabulary;
  const auto stage = widths.layers.begin() + virtual_stage;
  const int first = std::accumulate(widths.layers.begin(), stage, 0);
  std::vector<Unit> units;
  if (virtual_stage == 0)
    units.push_back(
        unit(Unit::Kind::Embedding, 0, embedding_parameters(model, vocabulary), widths));
  for (int layer = first; layer < first + *stage; ++layer)
    units.push_back(unit(Unit::Kind::Layer, layer, layer_parameters(model, layer), widths));
  if (virtual_stage != widths.virtual_stages - 1) return units;
  ModelSpec holder = model;
  holder.tied_embeddings = model.tied_embeddings && widths.virtual_stages == 1;
  units.push_back(
      unit(Unit::Kind::Head, model.layers, head_parameters(holder, vocabulary), widths));
  return units;
}

std::vector<Bucket> buckets(const std::vector<Unit>& units, std::int64_t parameters) {
  std::vector<Bucket> result;
  const int count = static_cast<int>(units.size());
  std::int64_t held = 0;
  int last = count - 1;
  for (int i = count - 1; i >= 0; --i) {
    held += units[static_cast<std::size_t>(i)].dense + units[static_cast<std::size_t>(i)].experts;
    if (held < parameters && i > 0) continue;
    result.push_back({i, last});
    last = i - 1;
    held = 0;
  }
  return result;
}

}  // namespace trainyard

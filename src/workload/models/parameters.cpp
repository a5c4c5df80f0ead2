#include "workload/models/parameters.hpp"

namespace trainyard {

namespace {

std::int64_t norm_parameters(const ModelSpec& model, std::int64_t width) {
  return model.norm == Norm::Layer ? 2 * width : width;
}

// A latent vector is computed and normalised whole on every tensor rank.
Parameters latent_attention(const ModelSpec& model) {
  const std::int64_t h = model.hidden, a = model.heads, d = model.head_dim, v = model.value_dim;
  const LatentAttention& latent = model.latent;
  const std::int64_t key_dim = d - latent.rotary_dim;
  Parameters count;
  count.matrices =
      latent.query_rank * a * d + latent.key_value_rank * a * (key_dim + v) + a * v * h;
  count.replicated = h * latent.query_rank + h * (latent.key_value_rank + latent.rotary_dim) +
                     norm_parameters(model, latent.query_rank) +
                     norm_parameters(model, latent.key_value_rank);
  return count;
}

Parameters attention(const ModelSpec& model) {
  if (model.latent.query_rank > 0) return latent_attention(model);
  const std::int64_t h = model.hidden, a = model.heads, g = model.key_value_heads;
  const std::int64_t projected = (a + g) * model.head_dim + g * model.value_dim;
  Parameters count;
  count.matrices = h * projected + a * model.value_dim * h;
  if (model.biases) count.matrices += projected, count.replicated += h;
  return count;
}

Parameters mlp(const ModelSpec& model, std::int64_t ffn) {
  const std::int64_t ups = model.gated ? 2 : 1;
  Parameters count;
  count.matrices = (ups + 1) * model.hidden * ffn;
  if (model.biases) count.matrices += ups * ffn, count.replicated += model.hidden;
  return count;
}

Parameters experts(const ModelSpec& model) {
  const Experts& moe = model.experts;
  Parameters count;
  if (moe.shared_ffn > 0) count = mlp(model, moe.shared_ffn);
  count.experts = moe.count * mlp(model, moe.ffn).total();
  count.replicated += std::int64_t{model.hidden} * moe.count;  // the router
  return count;
}

}  // namespace

Parameters& Parameters::operator+=(const Parameters& other) {
  matrices += other.matrices;
  replicated += other.replicated;
  experts += other.experts;
  return *this;
}

Parameters layer_parameters(const ModelSpec& model, int layer) {
  Parameters count = attention(model);
  count += model.has_experts(layer) ? experts(model) : mlp(model, model.ffn);
  count.replicated += 2 * norm_parameters(model, model.hidden);
  return count;
}

Parameters embedding_parameters(const ModelSpec& model, std::int64_t vocabulary) {
  Parameters count;
  count.matrices = vocabulary * model.hidden;
  if (model.positions == Positions::Learned)
    count.replicated = std::int64_t{model.sequence} * model.hidden;
  return count;
}

Parameters head_parameters(const ModelSpec& model, std::int64_t vocabulary) {
  Parameters count;
  count.replicated = norm_parameters(model, model.hidden);
  if (!model.tied_embeddings) count.matrices = vocabulary * model.hidden;
  return count;
}

Parameters model_parameters(const ModelSpec& model, std::int64_t vocabulary) {
  Parameters count = embedding_parameters(model, vocabulary);
  for (int layer = 0; layer < model.layers; ++layer) count += layer_parameters(model, layer);
  count += head_parameters(model, vocabulary);
  return count;
}

std::int64_t active_parameters(const ModelSpec& model) {
  const Parameters all = model_parameters(model, model.vocabulary);
  if (model.experts.count == 0) return all.total();
  return all.total() -
         all.experts / model.experts.count * (model.experts.count - model.experts.top_k);
}

}  // namespace trainyard

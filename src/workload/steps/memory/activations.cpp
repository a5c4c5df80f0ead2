// Activations of one layer, in 16 bits unless said otherwise.
#include "workload/steps/memory/memory.hpp"

namespace trainyard {

namespace {

// Bytes a token that a rank keeps of what it holds between tensor regions, and of what it has
// inside of them.
struct PerToken {
  double held = 0, inside = 0;
};

// The scores' softmax, and with dropout a mask and what it leaves; a fused kernel keeps only the
// logarithm of each row's sum, in 32 bits.
double core(const ModelSpec& model, const Layout& layout, std::int64_t sequence) {
  if (layout.recompute == Recompute::Selective) return 0;
  if (layout.attention == AttentionKernel::Flash) return 4.0 * model.heads;
  const double scores = static_cast<double>(sequence) * model.heads;
  return scores * (model.dropout ? 2 + 1 + 2 : 2);
}

PerToken attention(const ModelSpec& model, const Layout& layout, std::int64_t sequence) {
  const double h = model.hidden, a = model.heads, d = model.head_dim, v = model.value_dim;
  const double g = model.latent.query_rank > 0 ? a : model.key_value_heads;
  const LatentAttention& latent = model.latent;
  PerToken kept;
  kept.held = 2 * h + 2 * h + (model.dropout ? h : 0);  // the norm's input, the matrix's, a mask
  kept.held += 2.0 * (latent.query_rank + latent.key_value_rank + latent.rotary_dim);
  kept.inside = 2 * (a * d + g * d + g * v) + 2 * a * v + core(model, layout, sequence);
  return kept;
}

PerToken mlp(const ModelSpec& model, std::int64_t ffn) {
  const double ups = model.gated ? 2 : 1;
  PerToken kept;
  kept.held = 2.0 * model.hidden + 2.0 * model.hidden + (model.dropout ? model.hidden : 0);
  kept.inside = 2 * (ups + 1) * static_cast<double>(ffn);
  return kept;
}

// Of the tokens that came here: the matrices' inputs and what was activated; of those sent: what
// comes back to be weighed. The shared expert has the norm's output in common with the router.
double experts(const ModelSpec& model, const Widths& widths, const Share& share) {
  const Experts& moe = model.experts;
  const double factor = moe.top_k * (moe.capacity > 0 ? moe.capacity : 1);
  const double sent = static_cast<double>(share.tokens) * factor / widths.tensor;
  const double here = sent * widths.expert_tensor;
  const double inside = mlp(model, moe.ffn).inside / widths.expert_tensor;
  const double shared = moe.shared_ffn > 0 ? mlp(model, moe.shared_ffn).inside : 0;
  return static_cast<double>(share.held_tokens) * (4.0 * model.hidden + 4.0 * moe.count) +
         here * (2.0 * model.hidden + inside) + sent * 2 * model.hidden +
         static_cast<double>(share.tokens) * shared / widths.tensor;
}

}  // namespace

std::int64_t layer_activations(const ModelSpec& model, const Layout& layout, const Widths& widths,
                               int layer) {
  const Share share = share_of(model, layout);
  const auto tokens = static_cast<double>(share.tokens);
  const auto held = static_cast<double>(share.held_tokens);
  const auto bytes = [&](const PerToken& kept) {
    return held * kept.held + tokens * kept.inside / widths.tensor;
  };
  double sum = bytes(attention(model, layout, share.sequence));
  sum += model.has_experts(layer) ? experts(model, widths, share) : bytes(mlp(model, model.ffn));
  return static_cast<std::int64_t>(sum);
}

}  // namespace trainyard

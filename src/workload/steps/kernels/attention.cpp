// Attention: projections as matrices, the core as one fused kernel or as the kernels of 2022.
#include "workload/steps/kernels/blocks.hpp"

namespace trainyard {

namespace {

double real(std::int64_t n) { return static_cast<double>(n); }

struct Heads {
  std::int64_t queries, keys;  // of one tensor rank
};
Heads heads_of(const BlockSizes& sizes) {
  return {sizes.model.heads / sizes.widths.tensor,
          sizes.model.key_value_heads / sizes.widths.tensor};
}

// The core's own work on one context rank: its queries against all keys of the sequence.
struct Core {
  double scores;    // elements of one head's score matrix, x micro-batch x heads
  double in_out;    // bytes of queries, keys, values and the result
  double product;   // flops of Q times K, transposed
  double weighted;  // flops of scores times V
};
Core core_of(const BlockSizes& sizes) {
  const Heads heads = heads_of(sizes);
  const double tokens = real(sizes.share.tokens);
  const double d = sizes.model.head_dim, v = sizes.model.value_dim;
  Core core{};
  core.scores = tokens * real(sizes.share.sequence) * real(heads.queries);
  core.in_out = 2 * tokens * (real(heads.queries) + real(heads.keys)) * (d + v);
  core.product = 2 * core.scores * d;
  core.weighted = 2 * core.scores * v;
  return core;
}

// A fused kernel skips the masked half. Its backward pass computes five products where the forward
// pass has two, the scores over again among them (FlashAttention-2, arXiv 2307.08691).
Part flash_core(const BlockSizes& sizes) {
  const Core core = core_of(sizes);
  const double forward = (core.product + core.weighted) / 2;
  const double backward = (3 * core.product + 2 * core.weighted) / 2;
  Part part;
  part.forward = work({attention_kernel(forward, core.in_out)}, sizes.times);
  part.inputs = work({attention_kernel(backward, 2 * core.in_out)}, sizes.times);
  return part;
}

// Batched products over whole score matrices, with a fused scale, mask and softmax and a dropout
// between them (Megatron-LM, arXiv 2205.05198).
Part unfused_core(const BlockSizes& sizes) {
  const ModelSpec& model = sizes.model;
  const std::int64_t batch = sizes.layout.micro_batch * heads_of(sizes).queries;
  const Linear product =
      linear({sizes.share.local, sizes.share.sequence, model.head_dim, batch, Precision::Bf16});
  const Linear weighted =
      linear({sizes.share.local, model.value_dim, sizes.share.sequence, batch, Precision::Bf16});
  const double scores = core_of(sizes).scores;
  const double dropout = model.dropout ? 5 * scores : 0;  // in, out, and a mask of bytes
  const Kernel softmax = memory_kernel(4 * scores + dropout);
  const Kernel softmax_back = memory_kernel(6 * scores + dropout);
  Part part;
  part.forward = work({product.forward, softmax, weighted.forward}, sizes.times);
  part.inputs =
      work({weighted.inputs, weighted.weights, softmax_back, product.inputs, product.weights},
           sizes.times);
  return part;
}

// Turning queries and keys by their positions: read and written once.
Kernel rotary(const BlockSizes& sizes) {
  if (sizes.model.positions != Positions::Rotary) return memory_kernel(0);
  const Heads heads = heads_of(sizes);
  const std::int64_t latent = sizes.model.latent.rotary_dim;
  const std::int64_t dim = latent > 0 ? latent : sizes.model.head_dim;
  return memory_kernel(4 * real(sizes.share.tokens * (heads.queries + heads.keys) * dim));
}

Part part_of(const std::vector<Linear>& matrices, const Kernel& besides, const KernelTimes& times) {
  Part part;
  part.forward = part.inputs = work({besides}, times);
  for (const Linear& matrix : matrices) {
    part.forward += work({matrix.forward}, times);
    part.inputs += work({matrix.inputs}, times);
    part.weights += work({matrix.weights}, times);
  }
  return part;
}

// Down to the latent vectors, whole on every tensor rank, and up to this rank's heads.
std::vector<Linear> latent_projections(const BlockSizes& sizes) {
  const ModelSpec& model = sizes.model;
  const LatentAttention& latent = model.latent;
  const std::int64_t tokens = sizes.share.tokens, a = heads_of(sizes).queries;
  const Precision precision = sizes.layout.precision;
  const std::int64_t up = a * (model.head_dim - latent.rotary_dim + model.value_dim);
  return {linear({tokens, latent.query_rank, model.hidden, 1, precision}),
          linear({tokens, a * model.head_dim, latent.query_rank, 1, precision}),
          linear({tokens, latent.key_value_rank + latent.rotary_dim, model.hidden, 1, precision}),
          linear({tokens, up, latent.key_value_rank, 1, precision})};
}

std::vector<Linear> projections(const BlockSizes& sizes) {
  if (sizes.model.latent.query_rank > 0) return latent_projections(sizes);
  const Heads heads = heads_of(sizes);
  const std::int64_t columns =
      (heads.queries + heads.keys) * sizes.model.head_dim + heads.keys * sizes.model.value_dim;
  return {linear({sizes.share.tokens, columns, sizes.model.hidden, 1, sizes.layout.precision})};
}

}  // namespace

Block attention_block(const BlockSizes& sizes) {
  const bool flash = sizes.layout.attention == AttentionKernel::Flash;
  const std::int64_t width = heads_of(sizes).queries * sizes.model.value_dim;
  Block block;
  block.before = norm_part(sizes);
  block.in = part_of(projections(sizes), rotary(sizes), sizes.times);
  block.middle = flash ? flash_core(sizes) : unfused_core(sizes);
  block.out =
      part_of({linear({sizes.share.tokens, sizes.model.hidden, width, 1, sizes.layout.precision})},
              memory_kernel(0), sizes.times);
  block.after = residual_part(sizes);
  return block;
}

}  // namespace trainyard

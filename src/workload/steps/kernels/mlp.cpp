// MLPs, experts, and the memory kernels around matrices.
#include "workload/steps/kernels/blocks.hpp"

namespace trainyard {

namespace {

double real(std::int64_t n) { return static_cast<double>(n); }

// What is elementwise: forward so many bytes, backward so many.
Part elementwise(double forward, double backward, const KernelTimes& times) {
  return {work({memory_kernel(forward)}, times), work({memory_kernel(backward)}, times), {}};
}

Part matrix(const Gemm& gemm, const KernelTimes& times) {
  const Linear all = linear(gemm);
  return {work({all.forward}, times), work({all.inputs}, times), work({all.weights}, times)};
}

Part sum(Part a, const Part& b) {
  a.forward += b.forward;
  a.inputs += b.inputs;
  a.weights += b.weights;
  return a;
}

// Up, activate, down: `tokens` rows through `batch` MLPs.
struct MlpShape {
  std::int64_t tokens, ffn, batch;
};
void fill_mlp(Block& block, const BlockSizes& sizes, const MlpShape& shape) {
  const std::int64_t h = sizes.model.hidden, ups = sizes.model.gated ? 2 : 1;
  const Precision precision = sizes.layout.precision;
  const std::int64_t rows = shape.tokens / shape.batch;
  block.in = matrix({rows, ups * shape.ffn, h, shape.batch, precision}, sizes.times);
  const double activation = activation_bytes(sizes.model, shape.tokens, shape.ffn);
  // Backward reads what came in and the gradient, and writes a gradient as large as what came in.
  const double gradients = 2 * real(shape.tokens * shape.ffn) * real(2 * ups + 1);
  block.middle = elementwise(activation, gradients, sizes.times);
  block.out = matrix({rows, h, shape.ffn, shape.batch, precision}, sizes.times);
}

// The router's scores in 32 bits, and tokens put in the order of their experts.
Part routing(const BlockSizes& sizes) {
  const ModelSpec& model = sizes.model;
  const std::int64_t tokens = sizes.share.tokens / sizes.widths.tensor;
  const Part router =
      matrix({tokens, model.experts.count, model.hidden, 1, Precision::Fp32}, sizes.times);
  const double permuted =
      4 * real(dispatched_tokens(model, sizes.share) / sizes.widths.tensor) * model.hidden;
  const double scores = 4 * 3 * real(tokens * model.experts.count);  // softmax, top k
  return sum(router, elementwise(permuted + scores, permuted + scores, sizes.times));
}

}  // namespace

double activation_bytes(const ModelSpec& model, std::int64_t tokens, std::int64_t ffn) {
  return 2 * real(tokens * ffn) * (model.gated ? 3 : 2);
}

// Forward: read and written. Backward: the input and the gradient read, a gradient written.
Part norm_part(const BlockSizes& sizes) {
  const double elements = real(sizes.share.held_tokens) * sizes.model.hidden;
  return elementwise(4 * elements, 6 * elements, sizes.times);
}

// Residual: two read, one written; backward the gradients of both ways are added. Dropout: a mask.
Part residual_part(const BlockSizes& sizes) {
  const double elements = real(sizes.share.held_tokens) * sizes.model.hidden;
  const double mask = sizes.model.dropout ? elements : 0;
  const double masked = sizes.model.dropout ? 4 * elements + mask : 0;
  return elementwise(6 * elements + mask, 6 * elements + masked, sizes.times);
}

Block mlp_block(const BlockSizes& sizes, std::int64_t ffn) {
  Block block;
  block.before = norm_part(sizes);
  fill_mlp(block, sizes, {sizes.share.tokens, ffn / sizes.widths.tensor, 1});
  block.after = residual_part(sizes);
  return block;
}

std::int64_t dispatched_tokens(const ModelSpec& model, const Share& share) {
  const std::int64_t even = share.tokens * model.experts.top_k;
  if (model.experts.capacity <= 0) return even;
  return static_cast<std::int64_t>(real(even) * model.experts.capacity);
}

// As many as the rank's own: with even routing an all-to-all gives back what it takes.
std::int64_t expert_tokens(const BlockSizes& sizes) {
  return dispatched_tokens(sizes.model, sizes.share) / sizes.widths.tensor *
         sizes.widths.expert_tensor;
}

Block experts_block(const BlockSizes& sizes) {
  const Experts& experts = sizes.model.experts;
  Block block;
  block.before = sum(norm_part(sizes), routing(sizes));
  fill_mlp(block, sizes,
           {expert_tokens(sizes), experts.ffn / sizes.widths.expert_tensor,
            experts.count / sizes.widths.expert});
  const double combined = 2 *
                          real(dispatched_tokens(sizes.model, sizes.share) / sizes.widths.tensor) *
                          sizes.model.hidden;
  block.after = sum(residual_part(sizes), elementwise(combined, combined, sizes.times));
  return block;
}

// The loss reads the logits three times in 32 bits (largest, sum, the softmax kept) and writes
// them once; its gradient is in their place.
Block head_block(const BlockSizes& sizes) {
  const std::int64_t columns = sizes.share.vocabulary / sizes.widths.tensor;
  Block block;
  block.before = norm_part(sizes);
  block.in =
      matrix({sizes.share.tokens, columns, sizes.model.hidden, 1, Precision::Bf16}, sizes.times);
  const double logits = real(sizes.share.tokens * columns);
  block.middle = elementwise(16 * logits, 8 * logits, sizes.times);
  return block;
}

Part embedding_part(const BlockSizes& sizes) {
  const double elements = real(sizes.share.held_tokens) * sizes.model.hidden;
  const double positions = sizes.model.positions == Positions::Learned ? 4 * elements : 0;
  const double dropout = sizes.model.dropout ? 5 * elements : 0;
  const double bytes = 4 * elements + positions + dropout;
  return elementwise(bytes, bytes, sizes.times);
}

// Read: gradient, master copy, both moments. Written: master copy, both moments, the 16-bit copy.
Work optimizer_work(const Layout& layout, std::int64_t parameters, const KernelTimes& times) {
  const double gradient = layout.gradients == Precision::Fp32 ? 4 : 2;
  const double norm = gradient;  // read once more, for the norm
  return work({memory_kernel(real(parameters) * (gradient + norm + 3 * 4 + 3 * 4 + 2))}, times);
}

}  // namespace trainyard

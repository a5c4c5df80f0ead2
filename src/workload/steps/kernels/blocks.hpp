// The blocks of a model as one rank computes them for one micro-batch.
//
// Matrices are divided by the tensor width, attention by heads; norms, dropout and residuals by the
// tensor width only with sequence parallelism. Memory kernels count what is read and written in 16
// bits, masks in 8.
#pragma once

#include "workload/steps/kernels/work.hpp"
#include "workload/steps/widths.hpp"

namespace trainyard {

// All that a block's kernels follow from.
struct BlockSizes {
  const ModelSpec& model;
  const Layout& layout;
  const Widths& widths;
  Share share;
  const KernelTimes& times;
};

Block attention_block(const BlockSizes& sizes);
Block mlp_block(const BlockSizes& sizes, std::int64_t ffn);  // a dense layer's, a shared expert's
Block experts_block(const BlockSizes& sizes);
Block head_block(const BlockSizes& sizes);  // the last norm, the vocabulary's matrix, the loss
Part embedding_part(const BlockSizes& sizes);

// Every kind of block a model has, as one rank computes it for one micro-batch.
struct ModelBlocks {
  Part embedding;
  Block attention, mlp, experts, shared_expert, head;
};
ModelBlocks model_blocks(const BlockSizes& sizes);

// Adam in mixed precision, over the parameters a rank keeps the optimizer's state of.
Work optimizer_work(const Layout& layout, std::int64_t parameters, const KernelTimes& times);

// Tokens that one rank's experts see in a micro-batch, each counted once an expert, with routing
// even; and those that one rank sends away.
std::int64_t expert_tokens(const BlockSizes& sizes);
std::int64_t dispatched_tokens(const ModelSpec& model, const Share& share);

// Of parts that several blocks have.
double activation_bytes(const ModelSpec& model, std::int64_t tokens, std::int64_t ffn);
Part norm_part(const BlockSizes& sizes);
Part residual_part(const BlockSizes& sizes);

}  // namespace trainyard

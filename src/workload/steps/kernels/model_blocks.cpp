#include "workload/steps/kernels/blocks.hpp"

namespace trainyard {

ModelBlocks model_blocks(const BlockSizes& sizes) {
  const Experts& experts = sizes.model.experts;
  ModelBlocks blocks;
  blocks.embedding = embedding_part(sizes);
  blocks.attention = attention_block(sizes);
  blocks.mlp = mlp_block(sizes, sizes.model.ffn);
  if (experts.count > 0) blocks.experts = experts_block(sizes);
  if (experts.shared_ffn > 0) {
    blocks.shared_expert = mlp_block(sizes, experts.shared_ffn);
    blocks.shared_expert.before = blocks.shared_expert.after = {};  // the experts' block has them
  }
  blocks.head = head_block(sizes);
  return blocks;
}

}  // namespace trainyard

// ModelSpec: a transformer as its authors describe it. What is trained, not how it is spread.
//
// A layer is attention and an MLP; the MLP is dense or, in layers after the first dense ones, a
// mixture of experts. Kinds that cannot be told apart by cost are one kind.
//
// INVARIANT (read_model_spec keeps it): every size is positive; key/value heads divide heads.
#pragma once

#include "config/section.hpp"

#include <cstdint>
#include <string>

namespace trainyard {

// DeepSeek's multi-head latent attention: queries, keys and values come from small latent vectors.
struct LatentAttention {
  int query_rank = 0;  // of the queries' latent vector; 0: none, this is no latent attention
  int key_value_rank = 0;
  int rotary_dim = 0;  // the part of a query's and key's width that is rotated
};

struct Experts {
  int count = 0;  // 0: every layer is dense
  int top_k = 0;  // experts a token goes to
  std::int64_t ffn = 0;
  std::int64_t shared_ffn = 0;  // of all shared experts together
  int first_dense_layers = 0;   // layers before the first with experts
  double capacity = 0;          // > 0: every expert is padded or cut to this times its even share
};

enum class Positions { Learned, Rotary };
enum class Norm { Layer, Rms };

struct ModelSpec {
  std::string name;
  int layers = 1;
  int hidden = 1;
  int heads = 1;
  int key_value_heads = 1;
  int head_dim = 1;   // of queries and keys
  int value_dim = 1;  // of values
  std::int64_t ffn = 1;
  bool gated = false;  // SwiGLU: two matrices up, one down
  int vocabulary = 1;
  int sequence = 1;              // tokens of a sample
  bool tied_embeddings = false;  // the vocabulary's matrix is the embedding, transposed
  bool biases = false;
  bool dropout = false;
  Positions positions = Positions::Rotary;
  Norm norm = Norm::Rms;
  LatentAttention latent;
  Experts experts;

  bool has_experts(int layer) const {
    return experts.count > 0 && layer >= experts.first_dense_layers;
  }
};

// {name?, layers, hidden, heads, key_value_heads?: heads, head_dim?: hidden / heads, value_dim?:
//  head_dim, ffn?: 4 * hidden, gated?: off, vocabulary, sequence, tied_embeddings?: off, biases?:
//  off, dropout?: off, positions?: rotary | learned, norm?: rms | layer,
//  latent_attention?: {query_rank, key_value_rank, rotary_dim},
//  experts?: {count, top_k, ffn, shared_ffn?: 0, first_dense_layers?: 0, capacity?: none}}
ModelSpec read_model_spec(Section& section);

// A file that holds such a mapping and nothing else, as experiments/models/*.yaml do.
ModelSpec load_model_spec(const std::string& file);

}  // namespace trainyard

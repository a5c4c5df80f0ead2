// How many parameters a part of a model has, by how parallelism divides them.
#pragma once

#include "workload/models/model_spec.hpp"

#include <cstdint>

namespace trainyard {

struct Parameters {
  std::int64_t matrices = 0;    // divided by the tensor width
  std::int64_t replicated = 0;  // whole on every tensor rank: norms, biases that are added late
  std::int64_t experts = 0;     // divided by expert and expert-tensor width

  std::int64_t total() const { return matrices + replicated + experts; }
  Parameters& operator+=(const Parameters& other);
};

Parameters layer_parameters(const ModelSpec& model, int layer);
Parameters embedding_parameters(const ModelSpec& model, std::int64_t vocabulary);

// The last norm and, unless it is the embedding, the vocabulary's matrix.
Parameters head_parameters(const ModelSpec& model, std::int64_t vocabulary);

// Of the whole model; `vocabulary` as published or as padded.
Parameters model_parameters(const ModelSpec& model, std::int64_t vocabulary);

// Those that one token passes: all but the experts it does not go to.
std::int64_t active_parameters(const ModelSpec& model);

}  // namespace trainyard

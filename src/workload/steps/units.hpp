// Units: what each virtual stage of a model holds, one rank's share of it.
#pragma once

#include "workload/models/parameters.hpp"
#include "workload/steps/widths.hpp"

#include <vector>

namespace trainyard {

// What is gathered and reduced together under ZeRO 3: one rank's parameters.
struct Unit {
  enum class Kind { Embedding, Layer, Head };
  Kind kind = Kind::Layer;
  int layer = 0;  // of the model
  std::int64_t dense = 0;
  std::int64_t experts = 0;
};

// The units of a virtual stage, in the order of the forward pass. A tied head in another stage than
// the embedding holds a copy of it.
std::vector<Unit> units_of(const ModelSpec& model, const Layout& layout, const Widths& widths,
                           int virtual_stage);

// Units `first` to `last` of a chunk.
struct Bucket {
  int first = 0, last = 0;
};
// From the last unit on, closed as soon as they have so many parameters.
std::vector<Bucket> buckets(const std::vector<Unit>& units, std::int64_t parameters);

}  // namespace trainyard

#include "workload/steps/widths.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <numeric>

namespace trainyard {

namespace {

[[noreturn]] void refuse(const Layout& layout, const std::string& key, const std::string& problem) {
  const auto said = layout.places.find(key);
  throw InfeasibleError(said == layout.places.end() ? layout.place : said->second,
                        layout.path + key, problem);
}

struct Side {
  std::int64_t count;
  std::string what;  // "heads of the model"
  std::string text() const { return std::to_string(count) + " " + what; }
};

// `whole` in equal parts of `parts`.
int divided(const Layout& layout, const std::string& key, const Side& whole, const Side& parts) {
  if (whole.count % parts.count != 0)
    refuse(layout, key,
           whole.text() +
               (whole.count < parts.count ? " are fewer than " : " are no multiple of ") +
               parts.text());
  return static_cast<int>(whole.count / parts.count);
}

int virtual_stages(const Layout& layout) {
  return layout.schedule == PipelineSchedule::DualPipe ? layout.pipeline
                                                       : layout.pipeline * layout.chunks;
}

std::vector<int> even_layers(const ModelSpec& model, const Layout& layout, int stages) {
  const int counted = model.layers + (layout.count_embedding ? 2 : 0);
  const std::string what = layout.count_embedding ? "layers with embedding and loss" : "layers";
  const int each = divided(layout, layout.chunks > 1 ? "chunks" : "pipeline", {counted, what},
                           {stages, "virtual stages (pipeline x chunks)"});
  std::vector<int> layers(static_cast<std::size_t>(stages), each);
  if (layout.count_embedding) --layers.front(), --layers.back();
  return layers;
}

std::vector<int> layers_by_stage(const ModelSpec& model, const Layout& layout, int stages) {
  if (layout.stage_layers.empty()) return even_layers(model, layout, stages);
  const auto listed = static_cast<int>(layout.stage_layers.size());
  if (listed != stages)
    refuse(layout, "stage_layers",
           "has " + counted(listed, "number") + ", the pipeline has " +
               counted(stages, "virtual stage"));
  const int sum = std::accumulate(layout.stage_layers.begin(), layout.stage_layers.end(), 0);
  if (sum != model.layers)
    refuse(layout, "stage_layers",
           "sums to " + counted(sum, "layer") + ", the model has " + std::to_string(model.layers));
  return layout.stage_layers;
}

constexpr std::int64_t kLongestStep = 4'000'000;  // passes of a layer on one rank: seconds to play

void check_length(const ModelSpec& model, const Layout& layout, const Widths& widths) {
  const std::int64_t passes =
      std::int64_t{widths.micro_batches} * std::max(1, model.layers / layout.pipeline);
  if (passes > kLongestStep)
    refuse(layout, "global_batch",
           "a rank would pass " + std::to_string(passes) + " layers a step (" +
               std::to_string(widths.micro_batches) + " micro-batches); at most " +
               std::to_string(kLongestStep) + " are played");
}

void check_tensor(const ModelSpec& model, const Layout& layout, const Share& share) {
  const Side width{layout.tensor, "tensor ranks"};
  divided(layout, "tensor", {model.heads, "heads"}, width);
  divided(layout, "tensor", {model.key_value_heads, "key/value heads"}, width);
  divided(layout, "tensor", {model.ffn, "columns of the MLP (ffn)"}, width);
  const int parts = layout.context_exchange == ContextExchange::Ring && layout.context > 1
                        ? 2 * layout.context  // an early and a late part each, to balance the mask
                        : layout.context;
  divided(layout, "context", {share.sequence, "tokens of a sequence"},
          {parts, "parts of it for " + counted(layout.context, "context rank")});
  if (layout.sequence_parallel)
    divided(layout, "sequence_parallel", {share.local, "tokens of a context rank"}, width);
}

void check_experts(const ModelSpec& model, const Layout& layout, const Widths& widths) {
  if (model.experts.count == 0) {
    if (layout.expert > 1)
      refuse(layout, "expert",
             counted(layout.expert, "expert rank") + ", but the model '" + model.name +
                 "' has no experts");
    if (layout.places.count("expert_tensor") > 0)
      refuse(layout, "expert_tensor",
             "means nothing: the model '" + model.name + "' has no experts");
    return;
  }
  divided(layout, "expert", {model.experts.count, "experts"}, {layout.expert, "expert ranks"});
  if (layout.expert_tensor != 1 && layout.expert_tensor != layout.tensor)
    refuse(layout, "expert_tensor",
           "is " + std::to_string(layout.expert_tensor) + ", where 1 or the tensor width " +
               std::to_string(layout.tensor) + " can be");
  if (layout.tensor > 1 && !layout.sequence_parallel)
    refuse(layout, "sequence_parallel",
           "is off, and experts beside tensor ranks need it: each dispatches its own tokens");
  if (layout.shard_group > 0 && widths.replicas > 1)
    refuse(layout, "shard_group", "hybrid sharding of a model with experts is not modelled");
}

void check_pipeline(const Layout& layout, const Widths& widths) {
  const bool interleaved = layout.schedule == PipelineSchedule::Interleaved;
  if (interleaved && layout.pipeline == 1)
    refuse(layout, "schedule", "interleaved, but there is 1 pipeline stage");
  if (interleaved)
    divided(layout, "chunks", {widths.micro_batches, "micro-batches"},
            {layout.pipeline, "pipeline stages, as interleaving needs"});
  if (layout.schedule == PipelineSchedule::DualPipe) {
    if (layout.zero == 3 && layout.reshard_after_forward)
      refuse(layout, "reshard_after_forward",
             "is on, but dualpipe passes two micro-batches at once: parameters must stay");
    if (!layout.overlap_p2p)
      refuse(layout, "overlap_p2p", "is off, but dualpipe lives on overlapping what it sends");
    divided(layout, "pipeline", {layout.pipeline, "pipeline stages"}, {2, "(dualpipe)"});
    divided(layout, "global_batch", {widths.micro_batches, "micro-batches"}, {2, "(dualpipe)"});
    if (widths.micro_batches < 2 * layout.pipeline)
      refuse(layout, "schedule",
             "dualpipe needs two micro-batches a stage: " + std::to_string(widths.micro_batches) +
                 " for " + counted(layout.pipeline, "stage"));
  }
  if (layout.zero == 2 && layout.pipeline > 1)
    refuse(layout, "zero",
           "2 reduces gradients after every micro-batch, which beside " +
               counted(layout.pipeline, "pipeline stage") + " no framework does");
}

int shard_width(const Layout& layout, const Widths& widths) {
  const int all = widths.context * widths.data;
  if (layout.zero == 0) return 1;
  if (layout.shard_group == 0) return all;
  divided(layout, "shard_group", {all, "data x context ranks"},
          {layout.shard_group, "ranks of a shard group"});
  return layout.shard_group;
}

}  // namespace

Widths divide(const ModelSpec& model, const Layout& layout, int gpus) {
  Widths widths;
  widths.tensor = layout.tensor;
  widths.context = layout.context;
  widths.pipeline = layout.pipeline;
  const std::int64_t whole = std::int64_t{layout.tensor} * layout.context * layout.pipeline;
  widths.data = divided(layout, "pipeline", {gpus, "GPUs"},
                        {whole, "GPUs of one copy (tensor x context x pipeline)"});
  if (model.experts.count > 0 || layout.expert > 1) {
    widths.expert = layout.expert;
    widths.expert_tensor = layout.expert_tensor;
    widths.expert_data = divided(layout, "expert", {gpus / layout.pipeline, "GPUs of a stage"},
                                 {std::int64_t{layout.expert} * layout.expert_tensor,
                                  "GPUs of its experts (expert x expert_tensor)"});
  }
  widths.micro_batches = divided(
      layout, "global_batch", {layout.global_batch, "samples (global_batch)"},
      {std::int64_t{widths.data} * layout.micro_batch, "samples (data ranks x micro_batch)"});
  widths.shard = shard_width(layout, widths);
  widths.replicas = widths.context * widths.data / widths.shard;
  widths.virtual_stages = virtual_stages(layout);
  widths.layers = layers_by_stage(model, layout, widths.virtual_stages);
  check_tensor(model, layout, share_of(model, layout));
  check_pipeline(layout, widths);
  check_experts(model, layout, widths);
  check_length(model, layout, widths);
  return widths;
}

Share share_of(const ModelSpec& model, const Layout& layout) {
  Share share;
  share.sequence = layout.sequence > 0 ? layout.sequence : model.sequence;
  share.local = share.sequence / layout.context;
  share.tokens = share.local * layout.micro_batch;
  share.held_tokens = layout.sequence_parallel ? share.tokens / layout.tensor : share.tokens;
  const std::int64_t padding = std::int64_t{128} * layout.tensor;
  share.vocabulary = (model.vocabulary + padding - 1) / padding * padding;
  return share;
}

}  // namespace trainyard

// What an experiment may say about a layout, and what is a mistake whatever the model.
#include "base/text.hpp"
#include "config/bounds.hpp"
#include "workload/steps/layout.hpp"

#include <algorithm>

namespace trainyard {

namespace {

constexpr int kMost = 1 << 22;

// A word and what it stands for.
template <typename Value>
struct Word {
  const char* text;
  Value value;
};

template <typename Value, std::size_t Count>
Value word_or(Section& section, const std::string& key, const Word<Value> (&words)[Count]) {
  std::vector<std::string> known;
  for (const Word<Value>& word : words) known.emplace_back(word.text);
  const std::string chosen = section.one_of_or(key, known, known.front());
  return words[std::find(known.begin(), known.end(), chosen) - known.begin()].value;
}

// The first of each list is the default.
constexpr Word<PipelineSchedule> kSchedules[] = {{"1f1b", PipelineSchedule::OneForwardOneBackward},
                                                 {"gpipe", PipelineSchedule::GPipe},
                                                 {"interleaved", PipelineSchedule::Interleaved},
                                                 {"zb_h1", PipelineSchedule::ZeroBubbleH1},
                                                 {"dualpipe", PipelineSchedule::DualPipe}};
constexpr Word<Recompute> kRecompute[] = {
    {"none", Recompute::None}, {"selective", Recompute::Selective}, {"full", Recompute::Full}};
constexpr Word<ContextExchange> kExchanges[] = {{"ring", ContextExchange::Ring},
                                                {"all_gather", ContextExchange::AllGather}};
constexpr Word<AttentionKernel> kAttention[] = {{"flash", AttentionKernel::Flash},
                                                {"unfused", AttentionKernel::Unfused}};
constexpr Word<Precision> kLinear[] = {{"bf16", Precision::Bf16}, {"fp8", Precision::Fp8}};
constexpr Word<Precision> kGradients[] = {{"fp32", Precision::Fp32}, {"bf16", Precision::Bf16}};

// A key that is legal only beside what `with` says.
void refuse_without(const Section& section, const std::string& key, const std::string& with) {
  if (section.has(key)) throw section.error(key, "means something only with " + with);
}

int width_or(Section& section, const std::string& key, int fallback) {
  return bounded_int_or(section, key, {1, kMost}, fallback);
}

void read_stage_layers(Section& section, Layout& layout) {
  if (!section.has("stage_layers")) return;
  for (const std::string& text : section.texts("stage_layers")) {
    const auto layers = parse_integer(text);
    if (!layers || *layers < 0 || *layers > kMost)
      throw section.error("stage_layers",
                          "must be a list of numbers of layers, got '" + printable(text) + "'");
    layout.stage_layers.push_back(static_cast<int>(*layers));
  }
  if (layout.stage_layers.empty())
    throw section.error("stage_layers", "is empty: leave it out, and stages are even");
}

void read_pipeline(Section& section, Layout& layout) {
  layout.pipeline = width_or(section, "pipeline", 1);
  layout.schedule = word_or(section, "schedule", kSchedules);
  layout.chunks = layout.schedule == PipelineSchedule::DualPipe ? 2 : 1;
  if (layout.schedule == PipelineSchedule::Interleaved) {
    layout.chunks = section.positive_int("chunks");
    if (layout.chunks > kMost) throw section.error("chunks", "is more than any model has layers");
  } else {
    refuse_without(section, "chunks", "schedule: interleaved");
  }
  read_stage_layers(section, layout);
  layout.count_embedding = section.yes_no_or("count_embedding", false);
  if (layout.count_embedding && !layout.stage_layers.empty())
    throw section.error("count_embedding", "means nothing beside stage_layers: give one of them");
  // Megatron waits for what it sends, unless it interleaves.
  const bool waits = layout.schedule == PipelineSchedule::OneForwardOneBackward;
  layout.overlap_p2p = section.yes_no_or("overlap_p2p", !waits);
  layout.scatter_gather = section.yes_no_or("scatter_gather", false);
  if (layout.scatter_gather && layout.sequence_parallel)
    throw section.error("scatter_gather",
                        "with sequence_parallel every rank sends its own part anyway");
}

void read_data(Section& section, Layout& layout) {
  layout.zero = bounded_int_or(section, "zero", {0, 3}, 0);
  layout.shard_group = bounded_int_or(section, "shard_group", {0, kMost}, 0);
  if (layout.shard_group > 0 && layout.zero == 0)
    throw section.error("shard_group", "with zero: 0 nothing is sharded");
  // FSDP alone gives parameters back between passes; beside a pipeline they stay, and gradients
  // wait for the last micro-batch (as torchtitan does).
  const bool alone = layout.pipeline == 1;
  if (layout.zero == 3) {
    layout.reshard_after_forward = section.yes_no_or("reshard_after_forward", alone);
    layout.reduce_every_micro_batch = section.yes_no_or("reduce_every_micro_batch", alone);
  } else {
    refuse_without(section, "reshard_after_forward", "zero: 3");
    refuse_without(section, "reduce_every_micro_batch", "zero: 3");
  }
  layout.gradients = word_or(section, "gradients", kGradients);
  layout.overlap_grad_reduce = section.yes_no_or("overlap_grad_reduce", true);
  layout.overlap_param_gather = section.yes_no_or("overlap_param_gather", true);
  layout.bucket_parameters = section.integer_or("bucket_parameters", 0, 0);
  layout.clip_gradients = section.yes_no_or("clip_gradients", false);
}

void read_kernels(Section& section, Layout& layout) {
  layout.recompute = word_or(section, "recompute", kRecompute);
  if (layout.recompute == Recompute::Full)
    layout.recompute_layers = bounded_int_or(section, "recompute_layers", {0, kMost}, 0);
  else
    refuse_without(section, "recompute_layers", "recompute: full");
  layout.attention = word_or(section, "attention", kAttention);
  layout.precision = word_or(section, "precision", kLinear);
  layout.sequence = bounded_int_or(section, "sequence", {0, kMost}, 0);
}

}  // namespace

Layout read_layout(Section& section) {
  Layout layout;
  layout.tensor = width_or(section, "tensor", 1);
  layout.sequence_parallel = section.yes_no_or("sequence_parallel", layout.tensor > 1);
  layout.overlap_tensor = section.yes_no_or("overlap_tensor", false);
  if (layout.overlap_tensor && !layout.sequence_parallel)
    throw section.error("overlap_tensor", "needs sequence_parallel: an all-reduce has no pieces");
  read_pipeline(section, layout);
  layout.context = width_or(section, "context", 1);
  layout.context_exchange = word_or(section, "context_exchange", kExchanges);
  layout.expert = width_or(section, "expert", 1);
  layout.expert_tensor = width_or(section, "expert_tensor", layout.tensor);
  layout.dispatch = word_or(section, "dispatch", kLinear);
  layout.micro_batch = width_or(section, "micro_batch", 1);
  layout.global_batch = section.positive_int("global_batch");
  layout.order = section.text_or("order", layout.order);
  read_data(section, layout);
  read_kernels(section, layout);
  layout.place = section.place("");
  for (const std::string& key : section.keys()) layout.places[key] = section.place(key);
  layout.path = section.path("");
  section.finish();
  return layout;
}

}  // namespace trainyard

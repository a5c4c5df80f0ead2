// Models and layouts as a user writes them, and what is said when they do not fit together.
#include "rendezvous.hpp"
#include "workload/steps/widths.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {
namespace {

using ::testing::HasSubstr;

const std::string kModel = "layers: 8\nhidden: 1024\nheads: 16\nvocabulary: 51200\nsequence: 512\n";

ModelSpec model_of(const std::string& yaml) {
  Document document = Document::parse(yaml, "model.yaml");
  Section root = document.root();
  return read_model_spec(root);
}

Layout layout_of(const std::string& yaml) {
  Document document = Document::parse(yaml, "layout.yaml");
  Section root = document.root();
  return read_layout(root);
}

template <typename Read>
std::string error_of(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string model_error(const std::string& yaml) {
  return error_of([&] { model_of(yaml); });
}
std::string layout_error(const std::string& yaml) {
  return error_of([&] { layout_of(yaml); });
}
std::string contradiction(const std::string& yaml, int gpus,
                          const ModelSpec& model = testing::small_gpt()) {
  return error_of([&] { divide(model, layout_of(yaml), gpus); });
}

TEST(ReadModelSpec, NeedsFiveSizesAndHasDefaultsForTheRest) {
  const ModelSpec model = model_of(kModel);
  EXPECT_EQ(model.key_value_heads, 16);
  EXPECT_EQ(model.head_dim, 64);
  EXPECT_EQ(model.value_dim, 64);
  EXPECT_EQ(model.ffn, 4096);
  EXPECT_FALSE(model.gated);
  EXPECT_EQ(model.experts.count, 0);
  EXPECT_EQ(model.latent.query_rank, 0);
}

TEST(ReadModelSpecErrors, NameThePlaceAndTheProblem) {
  EXPECT_EQ(model_error(kModel + "key_value_heads: 3\n"),
            "model.yaml:6:18: key_value_heads: must divide the 16 heads, got '3'");
  EXPECT_EQ(model_error("layers: 8\nhidden: 1000\nheads: 16\nvocabulary: 1\nsequence: 1\n"),
            "model.yaml:3:8: heads: must divide hidden (1000) where head_dim is not given, got "
            "'16'");
  EXPECT_THAT(model_error(kModel + "vocabluary: 3\n"), HasSubstr("did you mean 'vocabulary'?"));
  EXPECT_EQ(model_error(kModel + "experts: {count: 4, top_k: 5, ffn: 8}\n"),
            "model.yaml:6:28: experts.top_k: must be at most the 4 experts, got '5'");
  EXPECT_THAT(model_error("layers: 8\n"), HasSubstr("hidden: is required and missing"));
}

TEST(ReadLayout, HasTheDefaultsOfTheFrameworks) {
  const Layout alone = layout_of("global_batch: 8\n");
  EXPECT_FALSE(alone.sequence_parallel);
  EXPECT_EQ(alone.order, "tp-cp-ep-dp-pp");
  EXPECT_EQ(alone.gradients, Precision::Fp32);
  const Layout fsdp = layout_of("global_batch: 8\nzero: 3\n");
  EXPECT_TRUE(fsdp.reshard_after_forward);
  EXPECT_TRUE(fsdp.reduce_every_micro_batch);
  const Layout piped = layout_of("global_batch: 8\nzero: 3\npipeline: 2\n");
  EXPECT_FALSE(piped.reshard_after_forward);
  EXPECT_FALSE(piped.reduce_every_micro_batch);
  EXPECT_TRUE(layout_of("global_batch: 8\ntensor: 2\n").sequence_parallel);
}

TEST(ReadLayoutErrors, NameThePlaceAndTheProblem) {
  EXPECT_THAT(layout_error("tensor: 2\n"), HasSubstr("global_batch: is required and missing"));
  EXPECT_THAT(layout_error("global_batch: 8\nschedule: 1f1v\n"), HasSubstr("did you mean '1f1b'?"));
  EXPECT_THAT(layout_error("global_batch: 8\nschedule: interleaved\npipeline: 2\n"),
              HasSubstr("chunks: is required and missing"));
  EXPECT_EQ(layout_error("global_batch: 8\nshard_group: 2\n"),
            "layout.yaml:2:14: shard_group: with zero: 0 nothing is sharded");
  EXPECT_THAT(layout_error("global_batch: 8\nmicrobatch: 2\n"),
              HasSubstr("did you mean 'micro_batch'?"));
}

TEST(ReadLayoutErrors, RefuseWhatWouldMeanNothing) {
  EXPECT_EQ(layout_error("global_batch: 8\nchunks: 2\n"),
            "layout.yaml:2:9: chunks: means something only with schedule: interleaved");
  EXPECT_EQ(layout_error("global_batch: 8\nrecompute_layers: 2\n"),
            "layout.yaml:2:19: recompute_layers: means something only with recompute: full");
  EXPECT_EQ(layout_error("global_batch: 8\nzero: 1\nreshard_after_forward: on\n"),
            "layout.yaml:3:24: reshard_after_forward: means something only with zero: 3");
  EXPECT_EQ(layout_error("global_batch: 8\nzero: 2\nreduce_every_micro_batch: on\n"),
            "layout.yaml:3:27: reduce_every_micro_batch: means something only with zero: 3");
  EXPECT_EQ(layout_error("global_batch: 8\nstage_layers: []\n"),
            "layout.yaml:2:15: stage_layers: is empty: leave it out, and stages are even");
}

TEST(Contradictions, NameBothSides) {
  EXPECT_EQ(contradiction("global_batch: 8\ntensor: 3\n", 3),
            "layout.yaml:2:9: tensor: 16 heads are no multiple of 3 tensor ranks");
  EXPECT_EQ(contradiction("global_batch: 8\ntensor: 2\npipeline: 3\n", 6),
            "layout.yaml:3:11: pipeline: 8 layers are no multiple of 3 virtual stages (pipeline x "
            "chunks)");
  EXPECT_EQ(contradiction("global_batch: 8\ntensor: 2\n", 5),
            "layout.yaml:1:1: pipeline: 5 GPUs are no multiple of 2 GPUs of one copy (tensor x "
            "context x pipeline)");
  EXPECT_EQ(contradiction("global_batch: 8\nmicro_batch: 3\n", 2),
            "layout.yaml:1:15: global_batch: 8 samples (global_batch) are no multiple of 6 samples "
            "(data ranks x micro_batch)");
  EXPECT_EQ(contradiction("global_batch: 8\nexpert: 2\n", 2),
            "layout.yaml:2:9: expert: 2 expert ranks, but the model 'small' has no experts");
  EXPECT_EQ(contradiction("global_batch: 8\ntensor: 2\nexpert_tensor: 2\n", 2),
            "layout.yaml:3:16: expert_tensor: means nothing: the model 'small' has no experts");
  EXPECT_EQ(contradiction("global_batch: 8\nexpert: 32\n", 32, testing::small_moe()),
            "layout.yaml:1:15: global_batch: 8 samples (global_batch) are fewer than 32 samples "
            "(data ranks x micro_batch)");
  EXPECT_EQ(contradiction("global_batch: 32\nexpert: 32\n", 32, testing::small_moe()),
            "layout.yaml:2:9: expert: 16 experts are fewer than 32 expert ranks");
  EXPECT_THAT(contradiction("global_batch: 8\npipeline: 2\nstage_layers: [4, 3]\n", 2),
              HasSubstr("stage_layers: sums to 7 layers, the model has 8"));
  EXPECT_THAT(contradiction("global_batch: 3\npipeline: 2\nschedule: interleaved\nchunks: 2\n", 2),
              HasSubstr("chunks: 3 micro-batches are no multiple of 2 pipeline stages"));
}

TEST(Widths, GiveWhatIsLeftToDataRanks) {
  const Widths widths =
      divide(testing::small_moe(),
             layout_of("global_batch: 64\ntensor: 2\ncontext: 2\npipeline: 2\nexpert: 4\n"
                       "expert_tensor: 1\nmicro_batch: 2\n"),
             64);
  EXPECT_EQ(widths.data, 8);         // 64 / (2 x 2 x 2)
  EXPECT_EQ(widths.expert_data, 8);  // 64 / 2 / 4
  EXPECT_EQ(widths.micro_batches, 4);
}

TEST(Widths, LeaveALayerOutAtTheEndsWhereEmbeddingAndLossCount) {
  ModelSpec llama = testing::small_gpt();
  llama.layers = 126;  // Llama 3.1 405B on 16 stages
  const Widths widths =
      divide(llama, layout_of("global_batch: 8\npipeline: 16\ncount_embedding: on\n"), 16);
  EXPECT_EQ(widths.layers.front(), 7);
  EXPECT_EQ(widths.layers[1], 8);
  EXPECT_EQ(widths.layers.back(), 7);
}

}  // namespace
}  // namespace trainyard

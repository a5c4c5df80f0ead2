#include "workload/models/model_spec.hpp"

#include "config/bounds.hpp"

#include <filesystem>

namespace trainyard {

namespace {

// Far above any model, and small enough that every product of a few of them fits 64 bits.
constexpr int kMost = 1 << 22;

int bounded(Section& section, const std::string& key) {
  const int value = section.positive_int(key);
  if (value > kMost) throw section.error(key, "must be at most " + std::to_string(kMost));
  return value;
}

int bounded_or(Section& section, const std::string& key, std::int64_t fallback) {
  return bounded_int_or(section, key, {1, kMost}, static_cast<int>(fallback));
}

void read_heads(Section& section, ModelSpec& model) {
  model.heads = bounded(section, "heads");
  model.key_value_heads = bounded_or(section, "key_value_heads", model.heads);
  if (model.heads % model.key_value_heads != 0)
    throw section.error("key_value_heads", "must divide the " + std::to_string(model.heads) +
                                               " heads, got '" +
                                               std::to_string(model.key_value_heads) + "'");
  if (!section.has("head_dim") && model.hidden % model.heads != 0)
    throw section.error("heads", "must divide hidden (" + std::to_string(model.hidden) +
                                     ") where head_dim is not given, got '" +
                                     std::to_string(model.heads) + "'");
  model.head_dim = bounded_or(section, "head_dim", model.hidden / model.heads);
  model.value_dim = bounded_or(section, "value_dim", model.head_dim);
}

LatentAttention read_latent_attention(Section section, int head_dim) {
  LatentAttention latent;
  latent.query_rank = bounded(section, "query_rank");
  latent.key_value_rank = bounded(section, "key_value_rank");
  latent.rotary_dim = bounded(section, "rotary_dim");
  if (latent.rotary_dim >= head_dim)
    throw section.error("rotary_dim", "must be less than head_dim (" + std::to_string(head_dim) +
                                          "), got '" + std::to_string(latent.rotary_dim) + "'");
  section.finish();
  return latent;
}

Experts read_experts(Section section, int layers) {
  Experts experts;
  experts.count = bounded(section, "count");
  experts.top_k = bounded(section, "top_k");
  if (experts.top_k > experts.count)
    throw section.error("top_k", "must be at most the " + std::to_string(experts.count) +
                                     " experts, got '" + std::to_string(experts.top_k) + "'");
  experts.ffn = bounded(section, "ffn");
  experts.shared_ffn = bounded_int_or(section, "shared_ffn", {0, kMost}, 0);
  experts.first_dense_layers = bounded_int_or(section, "first_dense_layers", {0, layers}, 0);
  if (section.has("capacity")) {
    experts.capacity = section.number("capacity", 0, 1000);
    if (experts.capacity <= 0) throw section.error("capacity", "must be more than zero");
  }
  section.finish();
  return experts;
}

}  // namespace

ModelSpec read_model_spec(Section& section) {
  ModelSpec model;
  model.name = section.maybe_text("name").value_or("");
  model.layers = bounded(section, "layers");
  model.hidden = bounded(section, "hidden");
  read_heads(section, model);
  model.ffn = bounded_or(section, "ffn", std::min<std::int64_t>(4LL * model.hidden, kMost));
  model.gated = section.yes_no_or("gated", false);
  model.vocabulary = bounded(section, "vocabulary");
  model.sequence = bounded(section, "sequence");
  model.tied_embeddings = section.yes_no_or("tied_embeddings", false);
  model.biases = section.yes_no_or("biases", false);
  model.dropout = section.yes_no_or("dropout", false);
  const bool learned = section.one_of_or("positions", {"rotary", "learned"}, "rotary") == "learned";
  model.positions = learned ? Positions::Learned : Positions::Rotary;
  const bool rms = section.one_of_or("norm", {"rms", "layer"}, "rms") == "rms";
  model.norm = rms ? Norm::Rms : Norm::Layer;
  if (section.has("latent_attention"))
    model.latent = read_latent_attention(section.section("latent_attention"), model.head_dim);
  if (section.has("experts"))
    model.experts = read_experts(section.section("experts"), model.layers);
  section.finish();
  return model;
}

ModelSpec load_model_spec(const std::string& file) {
  Document document = Document::load(file);
  Section root = document.root();
  ModelSpec model = read_model_spec(root);
  if (model.name.empty()) model.name = std::filesystem::path(file).stem().string();
  return model;
}

}  // namespace trainyard

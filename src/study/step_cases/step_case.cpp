#include "study/step_cases/step_case.hpp"

#include "base/text.hpp"
#include "study/step_cases/step_fit.hpp"
#include "workload/models/parameters.hpp"

#include <algorithm>

namespace trainyard {

namespace {

constexpr int kMostGpus = 1 << 22;

int sequence_of(const StepCase& one) {
  return one.layout.sequence > 0 ? one.layout.sequence : one.model.sequence;
}

double tokens_of_step(const StepCase& one) {
  return static_cast<double>(one.layout.global_batch) * sequence_of(one);
}

// step: 18.13 s | tokens_per_gpu: 5762 (a second) | tflops_per_gpu: 430 (of the model)
Seconds read_measured(Section& section, const StepCase& one) {
  const std::vector<std::string> ways = {"step", "tokens_per_gpu", "tflops_per_gpu"};
  const auto given = std::count_if(ways.begin(), ways.end(),
                                   [&](const std::string& key) { return section.has(key); });
  if (given != 1)
    throw section.error("needs one of step, tokens_per_gpu and tflops_per_gpu, has " +
                        std::to_string(given));
  if (section.has("step")) {
    const Seconds step = section.seconds("step");
    if (!(step > Seconds(0))) throw section.error("step", "must be more than zero");
    return step;
  }
  const double tokens = tokens_of_step(one) / one.gpus;  // of a GPU
  if (section.has("tokens_per_gpu"))
    return Seconds(tokens / section.number("tokens_per_gpu", 1e-6, 1e12));
  const double flops = tokens * model_flops_per_token(one.model, sequence_of(one));
  return Seconds(flops / (section.number("tflops_per_gpu", 1e-6, 1e6) * 1e12));
}

// A case within its group: what it does not say, the group does.
struct Member {
  Section& own;
  Section& group;

  Section& of(const std::string& key) const {
    const bool given = group.has(key);  // looked at, so that finish() can say "has no effect here"
    return own.has(key) || !given ? own : group;
  }
};

// A file, or the model itself.
ModelSpec read_model(Section& section) {
  if (!section.is_section("model"))
    return load_model_spec(section.resolve_path(section.text("model")));
  Section model = section.section("model");
  return read_model_spec(model);
}

// "key: value, " of every key that `into` has not.
void add_keys(Section& section, std::vector<std::string>& keys, std::string& text) {
  for (const std::string& key : section.keys()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    keys.push_back(key);
    text += key + ": " +
            (section.is_list(key) ? "[" + join(section.texts(key)) + "]" : section.text(key)) +
            ", ";
  }
}

// The case's layout and the group's, joined key by key; errors are told at the case.
Layout read_joined_layout(const Member& member) {
  std::vector<std::string> keys;
  std::string text = "layout: {";
  for (Section* section : {&member.own, &member.group})
    if (section->has("layout")) {
      Section layout = section->section("layout");
      add_keys(layout, keys, text);
    }
  Section& teller = member.of("layout");
  if (keys.empty()) throw teller.error("layout", "is required and missing");
  try {
    Document joined = Document::parse(text + "}\n", "layout");
    Section root = joined.root();
    Section section = root.section("layout");
    Layout layout = read_layout(section);
    layout.place = teller.place("layout");
    layout.path = teller.path("layout") + ".";
    return layout;
  } catch (const InputError& error) {
    const std::string what = error.what();  // "layout:1:9: layout.tensor: ..."
    throw teller.error("layout", what.substr(what.find(": ") + 2));
  }
}

double band_or(Section& section, const std::string& key, double fallback) {
  return section.has(key) ? section.number(key, 0, 10) : fallback;
}

int index_of(const std::vector<StepCase>& cases, Section& section, const std::string& name) {
  std::vector<std::string> names;
  names.reserve(cases.size());
  for (const StepCase& one : cases) names.push_back(one.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw section.error(
        "relative_to",
        "unknown case '" + name + "' (it must stand before this one)" + suggestion(name, names));
  return static_cast<int>(found - names.begin());
}

StepCase read_case(const Member& member, const std::vector<StepCase>& before) {
  StepCase one;
  Section& section = member.own;
  one.place = section.place("");
  one.name = section.text("name");
  for (const StepCase& other : before)
    if (other.name == one.name) throw section.error("name", "'" + one.name + "' is there twice");
  Section& platform = member.of("platform");
  one.platform = platform.resolve_path(platform.text("platform"));
  one.model = read_model(member.of("model"));
  one.series = member.of("series").text_or("series", one.model.name);
  one.gpus = member.of("gpus").positive_int("gpus");
  if (one.gpus > kMostGpus) throw section.error("gpus", "is more than any platform has");
  one.layout = read_joined_layout(member);
  one.measured = read_measured(section, one);
  if (section.one_of_or("role", {"calibrate", "predict"}, "predict") == "calibrate")
    one.role = CaseRole::Calibrate;
  one.band = band_or(member.of("band"), "band", kNoBand);
  one.note = member.of("note").text_or("note", "");
  if (const auto name = section.maybe_text("relative_to"))
    one.relative_to = index_of(before, section, *name);
  section.finish();
  return one;
}

StepBands read_bands(Section section) {
  StepBands bands;
  bands.mean = band_or(section, "mean", kNoBand);
  bands.series_mean = band_or(section, "series_mean", kNoBand);
  if (section.has("rank")) bands.rank = section.number("rank", -1, 1);
  section.finish();
  return bands;
}

std::vector<std::string> read_fit(Section& root) {
  if (!root.has("fit")) return {"gemm", "hbm"};
  std::vector<std::string> names = root.texts("fit");
  for (const std::string& name : names)
    if (!is_fittable(name))
      throw root.error(
          "fit", "unknown efficiency '" + name + "'" + suggestion(name, fittable_efficiencies()));
  return names;
}

}  // namespace

double model_flops_per_token(const ModelSpec& model, int sequence) {
  const double passed = static_cast<double>(active_parameters(model)) -
                        static_cast<double>(embedding_parameters(model, model.vocabulary).total());
  const double width = static_cast<double>(model.heads) * (model.head_dim + model.value_dim) / 2;
  return 6 * passed + 12.0 * model.layers * width * sequence;
}

StepCases read_step_cases(const std::string& file) {
  Document document = Document::load(file);
  Section root = document.root();
  StepCases made;
  made.file = file;
  made.set = root.text("set");
  made.source = root.text("source");
  if (const auto name = root.maybe_text("efficiency")) made.efficiency = root.resolve_path(*name);
  if (const auto name = root.maybe_text("misses")) made.misses = root.resolve_path(*name);
  made.fit = read_fit(root);
  made.bands = read_bands(root.section_or_empty("bands"));
  for (Section& group : root.sections("groups")) {
    for (Section& section : group.sections("cases"))
      made.cases.push_back(read_case({section, group}, made.cases));
    group.finish();
  }
  root.finish();
  if (made.cases.empty()) throw InputError({file}, "groups", "hold no case");
  return made;
}

}  // namespace trainyard

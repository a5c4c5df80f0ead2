#include "study/validation/simulated_sweep.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <array>
#include <cctype>
#include <cstdio>

namespace trainyard {

namespace {

void check_name(CollectiveKind kind, const std::string& name) {
  if (name.empty() || find_algorithm(kind, name)) return;
  std::vector<std::string> names;
  for (const AlgorithmEntry& entry : algorithms())
    if (entry.kind == kind) names.emplace_back(entry.name);
  throw InputError({}, "algorithm", "unknown value '" + name + "'" + suggestion(name, names));
}

Seconds time_of(const Calibration& calibration, const Collective& collective,
                const AlgorithmEntry& entry, const Uncalibrated& known) {
  return law_time(law_for(calibration, collective, entry.name, known), known.path, known.rounds,
                  known.wire);
}

// Of every algorithm that can be played there.
std::vector<NamedTime> times_of_all(CollectiveTimer& timer, const Calibration& calibration,
                                    const Collective& collective) {
  const AlgorithmChooser chooser(timer.platform(), &calibration, {});
  std::vector<NamedTime> times;
  for (const AlgorithmEntry& entry : algorithms()) {
    if (entry.kind != collective.kind || !chooser.refusal(entry, collective, timer.gpus()).empty())
      continue;
    const Uncalibrated known = timer.cost(entry.kind, entry, collective.size).known;
    times.emplace_back(entry.name, time_of(calibration, collective, entry, known));
  }
  return times;
}

}  // namespace

SimulatedRow simulate_row(CollectiveTimer& timer, const Calibration& calibration,
                          CollectiveKind kind, const std::string& algorithm, Bytes size) {
  check_name(kind, algorithm);
  const Collective collective = timer.collective(kind, size);
  SimulatedRow row;
  row.chosen = AlgorithmChooser(timer.platform(), &calibration, {})
                   .choose(collective, timer.gpus(), algorithm);
  const AlgorithmEntry& entry = *row.chosen.choice.algorithm;
  if (!algorithm.empty() && algorithm != entry.name)
    throw InfeasibleError({}, "algorithm",
                          AlgorithmChooser(timer.platform(), &calibration, {})
                              .refusal(*find_algorithm(kind, algorithm), collective, timer.gpus()));
  if (!entry.applies(collective))
    throw InfeasibleError({}, "operation",
                          std::string(to_string(kind)) + " does not apply to " +
                              std::to_string(collective.ranks) + " ranks");
  row.size = size;
  row.algorithm = entry.name;
  row.cost = timer.cost(kind, entry, size);
  row.time = time_of(calibration, collective, entry, row.cost.known);
  const CollectiveLaw* law = find_law(calibration, kind, entry.name, timer.nodes(), size);
  row.label = "assumed";
  if (law) row.label = is_inside(*law, timer.nodes(), size) ? "calibrated" : "outside range";
  return row;
}

double gap_percent(const SimulatedRow& row) { return 100 * (row.time / row.cost.analytic - 1); }

std::string explain_row(CollectiveTimer& timer, const Calibration& calibration,
                        const SimulatedRow& row) {
  const AlgorithmChoice& choice = row.chosen.choice;
  const Collective collective = timer.collective(choice.algorithm->kind, row.size);
  std::array<char, 80> gap{};
  std::snprintf(gap.data(), gap.size(), "; bound by %s links, %.1f %% beyond the analytic model",
                to_string(row.cost.bound), gap_percent(row));
  return explain(collective, choice, times_of_all(timer, calibration, collective)) + gap.data();
}

std::vector<Bytes> sweep_sizes(Bytes begin, Bytes end, int factor) {
  std::vector<Bytes> sizes;
  for (Bytes size = begin; size <= end; size = size * factor) {
    sizes.push_back(size);
    if (size > end / factor) break;
  }
  return sizes;
}

Bytes nccl_size(const std::string& text) {
  std::size_t digits = 0;
  while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])) != 0)
    ++digits;
  const auto number = parse_integer(text.substr(0, digits));
  const std::string unit = text.substr(digits);
  const std::string letters = "KMGT";
  std::size_t power = 0;
  if (!unit.empty()) {
    power = letters.find(static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0]))));
    if (power == std::string::npos || unit.size() > 1) return {};
    ++power;
  }
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  if (!number || *number <= 0 || *number > (kMost >> (10 * power))) return {};
  return bytes(*number << (10 * power));
}

}  // namespace trainyard

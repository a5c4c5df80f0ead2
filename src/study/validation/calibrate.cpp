#include "study/validation/calibrate.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "study/validation/collective_timer.hpp"
#include "study/validation/nccl_choice.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <tuple>

namespace trainyard {

namespace {

constexpr Bytes kWireRegime = mebibytes(1);
constexpr std::size_t kFewest = 4;       // samples that make a law
constexpr double kClearlyBetter = 0.95;  // of the registry's earlier algorithm's error

// A measured size, with what every algorithm would be without a law.
struct Point {
  Sample sample;
  std::map<const AlgorithmEntry*, Uncalibrated> known;
};

struct Key {
  CollectiveKind kind;
  NodeClass nodes;
  bool wire;
  friend bool operator<(const Key& a, const Key& b) {
    return std::tie(a.kind, a.nodes, a.wire) < std::tie(b.kind, b.nodes, b.wire);
  }
};

struct Candidate {
  const AlgorithmEntry* algorithm = nullptr;
  CollectiveLaw law;
};

class Fitter {
public:
  Fitter(const Platform& platform, const Routing& routing, FitSizes sizes)
      : platform_(platform), routing_(routing), sizes_(sizes) {}

  void add(const NcclSweep& sweep) {
    const SweepShape shape = shape_of(sweep, platform_);
    CollectiveTimer timer(platform_, routing_,
                          place_ranks(platform_, shape.nodes, shape.gpus_per_node, "pack_by_leaf"));
    for (const NcclRow& row : sweep.rows)
      if (row.size > bytes(0) && row.time > Seconds(0)) add(sweep, row, timer);
  }

  CalibrationResult result() {
    for (const auto& [key, points] : groups_) fit(key, points);
    return std::move(result_);
  }

private:
  void add(const NcclSweep& sweep, const NcclRow& row, CollectiveTimer& timer) {
    Point point;
    point.sample.size = row.size;
    point.sample.ranks = timer.ranks();
    point.sample.nodes = timer.nodes();
    point.sample.measured = row.time;
    point.sample.source =
        std::filesystem::path(sweep.file).filename().string() + ":" + std::to_string(sweep.line);
    const AlgorithmEntry* any = nullptr;
    const auto kind = kind_of(sweep);
    const auto known_to_nccl = kind ? nccl_algorithms(timer.collective(*kind, row.size), platform_)
                                    : std::vector<const AlgorithmEntry*>{};
    for (const AlgorithmEntry* algorithm : known_to_nccl) {
      point.known[algorithm] = timer.cost(algorithm->kind, *algorithm, row.size).known;
      any = algorithm;
    }
    if (any) {
      const Key key{any->kind, node_class(timer.nodes()), !(row.size < kWireRegime)};
      groups_[key].push_back(std::move(point));
    } else {
      warn(std::string("no algorithm for ") + sweep.operation->name + " of " + point.sample.source);
    }
  }

  static std::optional<CollectiveKind> kind_of(const NcclSweep& sweep) {
    for (const AlgorithmEntry& algorithm : algorithms())
      if (nccl_operation_of(algorithm.kind) == sweep.operation) return algorithm.kind;
    return std::nullopt;
  }

  std::vector<Sample> samples(const std::vector<Point>& points, const AlgorithmEntry& algorithm,
                              FitSizes sizes) const {
    std::vector<Sample> chosen;
    for (const Point& point : points) {
      const auto known = point.known.find(&algorithm);
      if (known == point.known.end() || !takes_part(point.sample.size, sizes)) continue;
      chosen.push_back(point.sample);
      chosen.back().known = known->second;
    }
    return chosen;
  }

  void fit(const Key& key, const std::vector<Point>& points) {
    const Candidate best = best_of(key, points);
    if (!best.algorithm) {
      warn(std::string("too few sizes of ") + to_string(key.kind) + " to fit a law: at least " +
           std::to_string(kFewest) + " are needed");
      return;
    }
    result_.calibration.laws.push_back(best.law);
    for (const Sample& sample : samples(points, *best.algorithm, FitSizes::All))
      result_.points.push_back(
          {key.kind, best.algorithm->name, sample,
           in_seconds(sample.measured) * (1 + relative_error(best.law, sample)),
           !takes_part(sample.size, sizes_)});
  }

  Candidate best_of(const Key& key, const std::vector<Point>& points) const {
    Candidate best;
    for (const AlgorithmEntry& algorithm : algorithms()) {
      if (algorithm.kind != key.kind) continue;
      const std::vector<Sample> used = samples(points, algorithm, sizes_);
      if (used.size() < kFewest) continue;
      CollectiveLaw law = law_from(used, algorithm);
      if (best.algorithm && law.loo_mean >= kClearlyBetter * best.law.loo_mean) continue;
      best = {&algorithm, std::move(law)};
    }
    return best;
  }

  static CollectiveLaw law_from(const std::vector<Sample>& used, const AlgorithmEntry& algorithm) {
    const Sample& first = used.front();
    const Collective shape{algorithm.kind, first.ranks, first.size, first.ranks / first.nodes};
    const Seconds step =
        assumed_law(shape, algorithm.name, first.known.rounds, Seconds(1)).per_step;
    CollectiveLaw law = fit_law(used, step);
    law.kind = algorithm.kind;
    law.algorithm = algorithm.name;
    law.nodes_from = law.nodes_to = first.nodes;
    law.from = law.to = first.size;
    std::set<std::string> sources;
    for (const Sample& sample : used) {
      law.nodes_from = std::min(law.nodes_from, sample.nodes);
      law.nodes_to = std::max(law.nodes_to, sample.nodes);
      law.from = std::min(law.from, sample.size);
      law.to = std::max(law.to, sample.size);
      sources.insert(sample.source);
    }
    law.source = join({sources.begin(), sources.end()}, " ");
    const Errors errors = leave_one_out(used, step);
    law.loo_mean = errors.mean;
    law.loo_max = errors.max;
    return law;
  }

  void warn(const std::string& problem) {
    auto& all = result_.warnings;
    if (std::find(all.begin(), all.end(), problem) == all.end()) all.push_back(problem);
  }

  const Platform& platform_;
  const Routing& routing_;
  FitSizes sizes_;
  std::map<Key, std::vector<Point>> groups_;
  CalibrationResult result_;
};

}  // namespace

bool takes_part(Bytes size, FitSizes sizes) {
  if (sizes == FitSizes::All) return true;
  int power = 0;
  for (std::int64_t rest = size.count(); rest > 1; rest >>= 1) ++power;
  return power % 2 == 0;
}

SweepShape shape_of(const NcclSweep& sweep, const Platform& platform) {
  int per_node = 1;
  for (const Node& node : platform.nodes) per_node = std::max(per_node, node.gpus);
  const int nodes = sweep.nodes > 0 ? sweep.nodes : (sweep.ranks + per_node - 1) / per_node;
  if (sweep.ranks % nodes != 0)
    throw InputError({sweep.file, sweep.line}, "",
                     std::to_string(sweep.ranks) + " ranks are not the same number on each of " +
                         std::to_string(nodes) + " nodes");
  return {nodes, sweep.ranks / nodes};
}

CalibrationResult calibrate(const std::vector<NcclSweep>& sweeps, const Platform& platform,
                            const Routing& routing, FitSizes sizes) {
  Fitter fitter(platform, routing, sizes);
  for (const NcclSweep& sweep : sweeps) fitter.add(sweep);
  CalibrationResult result = fitter.result();
  result.calibration.label = "calibrated";
  return result;
}

}  // namespace trainyard

#include "study/validation/validate.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "platforms/xml.hpp"
#include "study/validation/simulated_sweep.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

namespace trainyard {

namespace {

namespace fs = std::filesystem;

// A platform with what every case on it needs.
struct Bench {
  Platform platform;
  std::unique_ptr<Routing> routing;
  Calibration calibration;

  explicit Bench(const std::string& file)
      : platform(load_platform(file)),
        routing(make_routing(platform, routing_alone(platform))),
        calibration(calibration_of(platform)) {}
};

std::optional<CollectiveKind> kind_of(const NcclOperation& operation) {
  for (const AlgorithmEntry& entry : algorithms())
    if (nccl_operation_of(entry.kind) == &operation) return entry.kind;
  return std::nullopt;
}

class Comparison {
public:
  Comparison(const std::vector<Band>& bands, const std::vector<KnownMiss>& misses)
      : bands_(bands), misses_(misses) {}

  // Throws if the sweep does not fit on the platform.
  void add(const ValidationCase& one, const NcclSweep& sweep, const Bench& bench) {
    const auto kind = kind_of(*sweep.operation);
    if (!kind) return skip(one.name + ": no algorithm for " + sweep.operation->name);
    const SweepShape shape = shape_of(sweep, bench.platform);
    CollectiveTimer timer(
        bench.platform, *bench.routing,
        place_ranks(bench.platform, shape.nodes, shape.gpus_per_node, "pack_by_leaf"));
    for (const NcclRow& measured : sweep.rows) {
      if (!(measured.size > bytes(0)) || !(measured.time > Seconds(0))) continue;
      const SimulatedRow row =
          simulate_row(timer, one.assumed ? assumed_ : bench.calibration, *kind, "", measured.size);
      const EnvelopeKey key{one.platform, sweep.operation, timer.ranks(), row.size.count()};
      Envelope& envelope = envelopes_[key];
      envelope.fastest = std::min(envelope.fastest, measured.time);
      envelope.slowest = std::max(envelope.slowest, measured.time);
      for (const Band& band : bands_) {
        if (band.several_nodes != (timer.nodes() > 1)) continue;
        if (band.assumed != (row.label == "assumed")) continue;
        if (row.size < band.from || band.to < row.size) continue;
        report_.rows.push_back(
            {one.name, band.region, label_of(row, one), row.size, measured.time, row.time});
        context_.push_back({&band, key});
      }
    }
  }

  void skip(const std::string& reason) { report_.skipped.push_back(reason); }
  // A laboratory is missing: nobody can say how far those of this platform are apart.
  void skip_laboratory(const ValidationCase& one) {
    skip(one.name + ": the log " + one.source + " is not there");
    incomplete_.insert(one.platform);
  }

  ValidationReport report() {
    for (std::size_t i = 0; i < report_.rows.size(); ++i) count(i);
    for (auto& [key, verdict] : verdicts_) {
      judge(verdict);
      report_.verdicts.push_back(std::move(verdict));
    }
    return std::move(report_);
  }

private:
  static std::string label_of(const SimulatedRow& row, const ValidationCase& one) {
    if (row.label != "calibrated") return row.label;
    if (!one.fitted) return "other laboratory";
    return takes_part(row.size, one.sizes) ? row.label : "held out";
  }

  // Between the fastest and the slowest laboratory.
  struct Envelope {
    Seconds fastest = forever(), slowest;
  };
  using EnvelopeKey = std::tuple<std::string, const NcclOperation*, int, std::int64_t>;

  void count(std::size_t i) {
    const ComparedRow& row = report_.rows[i];
    const Band& band = *context_[i].band;
    Verdict& verdict = verdicts_[{order_of(row.name), &band - bands_.data(), row.label}];
    verdict.name = row.name;
    verdict.region = row.region;
    verdict.label = row.label;
    verdict.band = band;
    verdict.incomplete = band.envelope && row.label == "other laboratory" &&
                         incomplete_.count(std::get<0>(context_[i].key)) != 0;
    const Envelope& envelope = envelopes_.at(context_[i].key);
    double error = row.got / row.expected - 1;
    if (band.envelope && row.label == "other laboratory") {
      error = 0;
      if (row.got < envelope.fastest) error = row.got / envelope.fastest - 1;
      if (row.got > envelope.slowest) error = row.got / envelope.slowest - 1;
    }
    trainyard::add(error, verdict.errors);
  }

  std::size_t order_of(const std::string& name) {
    return order_.emplace(name, order_.size()).first->second;
  }

  void judge(Verdict& verdict) const {
    const bool held =
        verdict.errors.mean <= verdict.band.mean && verdict.errors.max <= verdict.band.max;
    verdict.verdict = held ? "ok" : "BROKEN";
    if (verdict.label == "outside range") verdict.verdict = "no claim";
    if (verdict.incomplete) verdict.verdict = "no claim without the other laboratories' logs";
    if (verdict.label == "outside range" || verdict.incomplete) return;
    for (const KnownMiss& miss : misses_) {
      if (miss.name != verdict.name || miss.region != verdict.region) continue;
      if (miss.label != verdict.label) continue;
      verdict.reason = miss.reason;
      // A known miss may not get worse than it was found, beyond rounding.
      const bool worse = verdict.errors.mean > miss.mean * 1.02 + 0.001 ||
                         verdict.errors.max > miss.max * 1.02 + 0.001;
      if (held)
        verdict.verdict = "ok, no longer a miss";
      else
        verdict.verdict = worse ? "BROKEN, worse than the known miss" : "known miss";
    }
  }

  const std::vector<Band>& bands_;
  const std::vector<KnownMiss>& misses_;
  std::map<std::tuple<std::size_t, std::ptrdiff_t, std::string>, Verdict> verdicts_;
  std::map<std::string, std::size_t> order_;
  struct RowContext {
    const Band* band;
    EnvelopeKey key;
  };
  std::vector<RowContext> context_;  // of each row of the report
  std::map<EnvelopeKey, Envelope> envelopes_;
  const Calibration assumed_;
  std::set<std::string> incomplete_;  // platforms with a log that is not there
  ValidationReport report_;
};

// Beside the table of cases, or in the folder of logs; "" if in neither.
std::string source_of(const ValidationCase& one, const std::string& folder,
                      const std::string& logs) {
  const fs::path beside = fs::path(folder) / one.source;
  if (fs::exists(beside)) return beside.string();
  const fs::path log = fs::path(logs) / one.source;
  if (!logs.empty() && fs::exists(log)) return log.string();
  return "";
}

NcclSweep sweep_of(const ValidationCase& one, const std::string& file) {
  const NcclLog log = read_nccl_log(file);
  const auto found = std::find_if(log.sweeps.begin(), log.sweeps.end(), [&](const NcclSweep& s) {
    return one.line.empty() || std::to_string(s.line) == one.line;
  });
  if (found == log.sweeps.end())
    throw InputError({file}, "", "holds no sweep whose first row is line " + one.line);
  NcclSweep sweep = *found;
  sweep.operation = one.operation;
  settle(sweep, one.ranks, one.nodes);
  return sweep;
}

}  // namespace

ValidationReport validate(const ValidationFiles& files, const std::string& logs) {
  Comparison comparison(files.bands, files.misses);
  std::map<std::string, std::unique_ptr<Bench>> benches;
  for (const ValidationCase& one : files.cases) {
    const std::string file = source_of(one, files.folder, logs);
    if (file.empty()) {
      comparison.skip_laboratory(one);
      continue;
    }
    auto& bench = benches[one.platform];
    if (!bench) bench = std::make_unique<Bench>((fs::path(files.folder) / one.platform).string());
    comparison.add(one, sweep_of(one, file), *bench);
  }
  return comparison.report();
}

ValidationReport validate_logs(const std::vector<NcclSweep>& sweeps, const std::string& platform,
                               const std::vector<Band>& bands) {
  const Bench bench(platform);
  const std::vector<KnownMiss> none;
  Comparison comparison(bands, none);
  for (const NcclSweep& sweep : sweeps) {
    ValidationCase one;
    one.name = fs::path(sweep.file).filename().string() + ":" + std::to_string(sweep.line);
    one.fitted = false;
    comparison.add(one, sweep, bench);
  }
  return comparison.report();
}

std::size_t broken(const ValidationReport& report) {
  return static_cast<std::size_t>(std::count_if(
      report.verdicts.begin(), report.verdicts.end(),
      [](const Verdict& verdict) { return verdict.verdict.rfind("BROKEN", 0) == 0; }));
}

}  // namespace trainyard

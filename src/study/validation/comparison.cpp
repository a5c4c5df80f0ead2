#include "study/validation/comparison.hpp"

#include "platforms/xml.hpp"

#include <cmath>

namespace trainyard {

namespace {

constexpr const char* kOther = "other laboratory";

std::optional<CollectiveKind> kind_of(const NcclOperation& operation) {
  for (const AlgorithmEntry& entry : algorithms())
    if (nccl_operation_of(entry.kind) == &operation) return entry.kind;
  return std::nullopt;
}

std::string label_of(const SimulatedRow& row, const ValidationCase& one) {
  if (row.label != "calibrated") return row.label;
  if (!one.fitted) return kOther;
  return takes_part(row.size, one.sizes) ? row.label : "held out";
}

bool speaks_of(const Band& band, const SimulatedRow& row, const CollectiveTimer& timer) {
  return band.several_nodes == (timer.nodes() > 1) && band.assumed == (row.label == "assumed") &&
         (band.gpu == "*" || band.gpu == timer.platform().hardware.gpu) && band.from <= row.size &&
         row.size <= band.to;
}

std::string laboratory_of(const ValidationCase& one) { return one.source + ":" + one.line; }

}  // namespace

Bench::Bench(const std::string& file)
    : platform(load_platform(file)),
      routing(make_routing(platform, routing_alone(platform))),
      calibration(calibration_of(platform)) {}

void Comparison::add(const ValidationCase& one, const NcclSweep& sweep, const Bench& bench) {
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
    const EnvelopeKey key{one.platform, sweep.operation->name, timer.ranks(), row.size.count()};
    if (!one.assumed) envelopes_.add(key, laboratory_of(one), measured.time, one.fitted);
    for (const Band& band : bands_) {
      if (!speaks_of(band, row, timer)) continue;
      report_.rows.push_back({bench.platform.name + " " + sweep.operation->name, one.name,
                              band.region, label_of(row, one), row.size, measured.time, row.time});
      context_.push_back({&band, key, laboratory_of(one)});
    }
  }
}

void Comparison::skip_laboratory(const ValidationCase& one) {
  skip(one.name + ": the log " + one.source + " is not there");
  if (!one.assumed && !one.fitted) incomplete_.insert(one.platform);
}

ValidationReport Comparison::report() {
  for (std::size_t row = 0; row < report_.rows.size(); ++row) count(row);
  for (auto& [key, verdict] : verdicts_) {
    judge(verdict);
    report_.verdicts.push_back(std::move(verdict));
  }
  return std::move(report_);
}

// A fitted laboratory's own sizes may be anywhere between all; another one's figure says nothing of
// the fit unless the range is of those that neither it nor the fit has seen.
std::optional<Envelope> Comparison::envelope_of(const ComparedRow& row,
                                                const RowContext& context) const {
  if (context.band->envelope == EnvelopeRule::None) return std::nullopt;
  if (row.label == kOther) return envelopes_.unseen_others(context.key, context.laboratory);
  return envelopes_.all(context.key);
}

void Comparison::count(std::size_t i) {
  const ComparedRow& row = report_.rows[i];
  const RowContext& context = context_[i];
  const std::size_t place = order_.emplace(row.name, order_.size()).first->second;
  Verdict& verdict = verdicts_[{place, context.band - bands_.data(), row.label}];
  verdict.name = row.name;
  verdict.region = row.region;
  verdict.label = row.label;
  verdict.band = *context.band;
  const double error = row.got / row.expected - 1;
  trainyard::add(error, verdict.raw);
  const std::optional<Envelope> envelope = envelope_of(row, context);
  if (envelope) {
    ++verdict.with_envelope;
    verdict.inside += envelope->holds(row.got) ? 1 : 0;
  }
  if (context.band->envelope == EnvelopeRule::Only && !envelope) return;
  trainyard::add(envelope && envelope->holds(row.got) ? 0 : error, verdict.counted);
  verdict.incomplete = context.band->envelope != EnvelopeRule::None && row.label == kOther &&
                       incomplete_.count(std::get<0>(context.key)) != 0;
}

void Comparison::judge(Verdict& verdict) const {
  const Band& band = verdict.band;
  verdict.verdict = "no claim";
  if (verdict.label == "outside range") return;
  if (verdict.incomplete) {
    verdict.reason = "a log of this platform's laboratories is not there";
    return;
  }
  if (verdict.counted.count == 0) {
    verdict.reason = "fewer than two other laboratories";
    return;
  }
  if (band.envelope != EnvelopeRule::Only && std::isinf(band.mean) && std::isinf(band.max)) {
    verdict.reason = "no band";
    return;
  }
  const bool inside_only = band.envelope == EnvelopeRule::Only;
  const bool held = inside_only
                        ? verdict.counted.max == 0
                        : verdict.counted.mean <= band.mean && verdict.counted.max <= band.max;
  verdict.verdict = held ? "ok" : "BROKEN";
  compare_with_miss(verdict, held);
}

// A known miss may not get worse than it was found, beyond rounding.
void Comparison::compare_with_miss(Verdict& verdict, bool held) const {
  for (const KnownMiss& miss : misses_) {
    if (miss.name != verdict.name || miss.region != verdict.region || miss.label != verdict.label)
      continue;
    verdict.reason = miss.reason;
    const bool worse =
        verdict.raw.mean > miss.mean * 1.02 + 0.001 || verdict.raw.max > miss.max * 1.02 + 0.001;
    if (held)
      verdict.verdict = "ok, no longer a miss";
    else
      verdict.verdict = worse ? "BROKEN, worse than the known miss" : "known miss";
  }
}

}  // namespace trainyard

#include "study/step_cases/step_report.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace trainyard {

namespace {

// Efficiencies by GPU type: the set's own where it has one, else the usual.
class Efficiencies {
public:
  explicit Efficiencies(const std::string& file) {
    if (!file.empty()) own_ = read_efficiencies(file);
  }
  const Efficiency& of(const std::string& gpu) const {
    for (const Efficiency& one : own_)
      if (one.gpu == gpu) return one;
    return usual_efficiency(gpu);
  }

private:
  std::vector<Efficiency> own_;
};

std::string label_of(const StepCase& one, const Efficiency& efficiency) {
  if (efficiency.label == "assumed") return "assumed";
  return one.role == CaseRole::Calibrate ? "calibrated" : "predicted";
}

std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (const double value : values) {
    const auto below =
        std::count_if(values.begin(), values.end(), [&](double other) { return other < value; });
    const auto equal = std::count(values.begin(), values.end(), value);
    ranks.push_back(static_cast<double>(below) + static_cast<double>(equal + 1) / 2);
  }
  return ranks;
}

// A known miss may not get worse than it was found, beyond rounding.
void judge(StepVerdict& verdict, const std::vector<KnownMiss>& misses) {
  if (std::isinf(verdict.band)) {
    verdict.verdict = "no claim";
    return;
  }
  const bool held = verdict.error <= verdict.band;
  verdict.verdict = held ? "ok" : "BROKEN";
  for (const KnownMiss& miss : misses) {
    if (miss.name != verdict.name || miss.region != verdict.region || miss.label != verdict.label)
      continue;
    verdict.reason = miss.reason;
    const bool worse = verdict.error > miss.max * 1.02 + 0.001;
    if (held)
      verdict.verdict = "ok, no longer a miss";
    else
      verdict.verdict = worse ? "BROKEN, worse than the known miss" : "known miss";
  }
}

class Judge {
public:
  Judge(StepReport& report, const std::vector<KnownMiss>& misses)
      : report_(report), misses_(misses) {}

  void each() {
    for (const ComparedStep& row : report_.rows) {
      StepVerdict verdict;
      verdict.name = row.one->name;
      verdict.region = row.one->relative_to < 0 ? "step" : "ratio";
      verdict.label = row.label;
      verdict.count = 1;
      verdict.error = std::abs(row.error());
      verdict.band = row.one->band;
      verdict.reason = row.one->note;
      add(std::move(verdict));
    }
  }

  void means(const StepBands& bands) {
    const std::vector<std::string> all = series();
    for (const std::string& one : all) over(one, rows_of(one), bands.series_mean, bands.rank);
    if (all.size() > 1) over(report_.set, rows_of(""), bands.mean, -1);
  }

private:
  using Rows = std::vector<const ComparedStep*>;

  std::vector<std::string> series() const {  // in the order of the cases
    std::vector<std::string> names;
    for (const ComparedStep& row : report_.rows)
      if (std::find(names.begin(), names.end(), row.one->series) == names.end())
        names.push_back(row.one->series);
    return names;
  }

  // "": of all series.
  Rows rows_of(const std::string& series) const {
    Rows rows;
    for (const ComparedStep& row : report_.rows)
      if (row.label != "calibrated" && (series.empty() || row.one->series == series))
        rows.push_back(&row);
    return rows;
  }

  void over(const std::string& name, const Rows& rows, double mean_band, double rank_band) {
    if (rows.empty()) return;
    StepVerdict mean;
    mean.name = name;
    mean.region = "mean";
    mean.label = rows.front()->label;
    mean.count = static_cast<int>(rows.size());
    std::vector<double> measured, predicted;
    for (const ComparedStep* row : rows) {
      mean.error += std::abs(row->error()) / static_cast<double>(rows.size());
      measured.push_back(row->measured);
      predicted.push_back(row->predicted);
    }
    mean.band = mean_band;
    StepVerdict rank = mean;
    add(std::move(mean));
    if (rank_band < 0 || rows.size() < 2) return;
    rank.region = "rank";
    rank.error = 1 - spearman(measured, predicted);
    rank.band = 1 - rank_band;
    add(std::move(rank));
  }

  void add(StepVerdict verdict) {
    judge(verdict, misses_);
    report_.verdicts.push_back(std::move(verdict));
  }

  StepReport& report_;
  const std::vector<KnownMiss>& misses_;
};

}  // namespace

double spearman(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = ranks_of(a), y = ranks_of(b);
  const double mean = static_cast<double>(a.size() + 1) / 2;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

StepReport compare_steps(const StepCases& cases, const std::vector<KnownMiss>& misses,
                         StepPredictor& predictor) {
  const Efficiencies efficiencies(cases.efficiency);
  StepReport report;
  report.set = cases.set;
  report.source = cases.source;
  std::set<std::string> used;
  for (const StepCase& one : cases.cases) {
    const Efficiency& efficiency = efficiencies.of(predictor.gpu_of(one));
    if (used.insert(efficiency.gpu).second)
      report.efficiency += (report.efficiency.empty() ? "" : "; ") + describe(efficiency);
    ComparedStep row{&one, label_of(one, efficiency)};
    row.measured = in_seconds(one.measured);
    row.predicted = in_seconds(predictor.predict(one, efficiency));
    if (one.relative_to >= 0) {
      const ComparedStep& base = report.rows[static_cast<std::size_t>(one.relative_to)];
      row.measured /= in_seconds(base.one->measured);
      row.predicted /= base.predicted;
    }
    report.rows.push_back(row);
  }
  Judge judge(report, misses);
  judge.each();
  judge.means(cases.bands);
  return report;
}

}  // namespace trainyard

#include "study/step_cases/step_fit.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

constexpr double kUsualSpread = 0.3;  // of the logarithm of an efficiency: one digit
constexpr double kRowSpread = 0.01;   // of the logarithm of a step
constexpr int kIterations = 8;        // at most
constexpr double kSettled = 1e-3;     // of the logarithm of an efficiency: the last change

// The member as a number that only grows with speed or only with time; kernel: in microseconds.
double get(const Efficiency& e, const std::string& name) {
  if (name == "gemm") return e.gemm;
  if (name == "gemm_fp8") return e.gemm_fp8;
  if (name == "attention") return e.attention;
  return name == "hbm" ? e.hbm : in_microseconds(e.kernel);
}

void set(Efficiency& e, const std::string& name, double value) {
  const double share = std::clamp(value, 0.01, 1.0);
  if (name == "gemm") e.gemm = share;
  if (name == "gemm_fp8") e.gemm_fp8 = share;
  if (name == "attention") e.attention = share;
  if (name == "hbm") e.hbm = share;
  if (name == "kernel") e.kernel = microseconds(std::clamp(value, 0.1, 100.0));
}

using Rows = std::vector<const StepCase*>;
using Matrix = std::vector<std::vector<double>>;

// Gauss's elimination of a small, positive definite system.
std::vector<double> solve(Matrix a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t r = i + 1; r < n; ++r) {
      const double factor = a[r][i] / a[i][i];
      for (std::size_t c = i; c < n; ++c) a[r][c] -= factor * a[i][c];
      b[r] -= factor * b[i];
    }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t c = i + 1; c < n; ++c) b[i] -= a[i][c] * b[c];
    b[i] /= a[i][i];
  }
  return b;
}

class Fit {
public:
  Fit(const std::vector<std::string>& names, const Efficiency& usual, StepPredictor& predictor)
      : names_(names), usual_(usual), predictor_(predictor) {}

  Efficiency to(const Rows& rows) {
    Efficiency now = usual_;
    for (int i = 0; i < kIterations; ++i) {
      const Efficiency before = now;
      now = improved(before, rows);
      if (change(before, now) < kSettled) break;
    }
    return now;
  }

private:
  double excess(const StepCase& one, const Efficiency& e) {
    return std::log(predictor_.predict(one, e) / one.measured) / kRowSpread;
  }

  double change(const Efficiency& from, const Efficiency& to) const {
    double most = 0;
    for (const std::string& name : names_)
      most = std::max(most, std::abs(std::log(get(to, name) / get(from, name))));
    return most;
  }

  // One Gauss-Newton step in the logarithms of the efficiencies.
  Efficiency improved(const Efficiency& now, const Rows& rows) {
    constexpr double kNudge = 0.02;
    const std::size_t n = names_.size();
    Matrix normal(n, std::vector<double>(n, 0));
    std::vector<double> right(n, 0);
    for (std::size_t p = 0; p < n; ++p) {
      normal[p][p] = 1 / (kUsualSpread * kUsualSpread);
      right[p] = std::log(get(usual_, names_[p]) / get(now, names_[p])) * normal[p][p];
    }
    for (const StepCase* row : rows) {
      const double here = excess(*row, now);
      std::vector<double> slope;
      for (const std::string& name : names_) {
        Efficiency nudged = now;
        set(nudged, name, get(now, name) * std::exp(-kNudge));
        const double moved = std::log(get(nudged, name) / get(now, name));
        slope.push_back((excess(*row, nudged) - here) / moved);
      }
      for (std::size_t p = 0; p < n; ++p) {
        right[p] -= slope[p] * here;
        for (std::size_t q = 0; q < n; ++q) normal[p][q] += slope[p] * slope[q];
      }
    }
    const std::vector<double> moves = solve(normal, right);
    Efficiency next = now;
    for (std::size_t p = 0; p < n; ++p)
      set(next, names_[p], get(now, names_[p]) * std::exp(moves[p]));
    return next;
  }

  const std::vector<std::string>& names_;
  const Efficiency usual_;
  StepPredictor& predictor_;
};

Rows rows_to_fit(const StepCases& cases) {
  Rows rows;
  for (const StepCase& one : cases.cases)
    if (one.role == CaseRole::Calibrate) rows.push_back(&one);
  if (rows.empty()) throw InputError({cases.file}, "role", "no case has the role 'calibrate'");
  return rows;
}

std::string common_gpu(const Rows& rows, StepPredictor& predictor) {
  std::string gpu = predictor.gpu_of(*rows.front());
  for (const StepCase* row : rows)
    if (predictor.gpu_of(*row) != gpu)
      throw InputError(row->place, "platform",
                       "has GPUs of type " + predictor.gpu_of(*row) +
                           ", but earlier rows to calibrate on have " + gpu);
  return gpu;
}

std::string range_of(const Rows& rows) {
  std::vector<std::string> series;
  int fewest = rows.front()->gpus, most = fewest;
  for (const StepCase* row : rows) {
    fewest = std::min(fewest, row->gpus);
    most = std::max(most, row->gpus);
    if (std::find(series.begin(), series.end(), row->series) == series.end())
      series.push_back(row->series);
  }
  return join(series, " + ") + " on " +
         (fewest == most ? std::to_string(most)
                         : std::to_string(fewest) + " to " + std::to_string(most)) +
         " GPUs";
}

// A cell of a CSV line.
std::string without_commas(std::string text) {
  std::replace(text.begin(), text.end(), ',', ';');
  return text;
}

}  // namespace

const std::vector<std::string>& fittable_efficiencies() {
  static const std::vector<std::string> names = {"gemm", "gemm_fp8", "attention", "hbm", "kernel"};
  return names;
}

bool is_fittable(const std::string& name) {
  const auto& names = fittable_efficiencies();
  return std::find(names.begin(), names.end(), name) != names.end();
}

StepFit fit_steps(const StepCases& cases, StepPredictor& predictor) {
  const Rows rows = rows_to_fit(cases);
  Fit fit(cases.fit, usual_efficiency(common_gpu(rows, predictor)), predictor);
  StepFit made;
  Efficiency& best = made.efficiency;
  best = fit.to(rows);
  for (const StepCase* row : rows) {
    FittedStep step{row, predictor.predict(*row, best), {}};
    if (rows.size() > 1) {
      Rows others;
      std::copy_if(rows.begin(), rows.end(), std::back_inserter(others),
                   [&](const StepCase* other) { return other != row; });
      step.left_out = predictor.predict(*row, fit.to(others));
      const double error = std::abs(step.left_out / row->measured - 1);
      best.loo_mean += error / static_cast<double>(rows.size());
      best.loo_max = std::max(best.loo_max, error);
    }
    made.rows.push_back(step);
  }
  best.label = "calibrated";
  best.range = without_commas(range_of(rows));
  best.source = without_commas(cases.source + "; fitted: " + join(cases.fit, " "));
  return made;
}

}  // namespace trainyard

#include "study/validation/law_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace trainyard {

namespace {

constexpr std::size_t kTerms = 4;  // 1, rounds, sqrt(wire), wire
using Terms = std::array<double, kTerms>;

struct Row {
  Terms terms;  // each divided by the measured time, so that the row's sum should be `target`
  double target = 1, weight = 1;
};

// Gauss with pivots on the normal equations of the chosen terms; nothing if they are dependent.
std::optional<Terms> solve(const std::vector<Row>& rows, const std::vector<std::size_t>& chosen) {
  std::array<std::array<double, kTerms + 1>, kTerms> matrix{};
  const std::size_t n = chosen.size();
  for (const Row& row : rows)
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        matrix[i][j] += row.weight * row.terms[chosen[i]] * row.terms[chosen[j]];
      matrix[i][n] += row.weight * row.terms[chosen[i]] * row.target;
    }
  std::array<double, kTerms> scale{};
  for (std::size_t i = 0; i < n; ++i) scale[i] = matrix[i][i];
  for (std::size_t i = 0; i < n; ++i) {
    if (!(matrix[i][i] > 1e-10 * scale[i])) return std::nullopt;
    for (std::size_t r = 0; r < n; ++r) {
      if (r == i) continue;
      const double factor = matrix[r][i] / matrix[i][i];
      for (std::size_t c = i; c <= n; ++c) matrix[r][c] -= factor * matrix[i][c];
    }
  }
  Terms result{};
  for (std::size_t i = 0; i < n; ++i) {
    result[chosen[i]] = matrix[i][n] / matrix[i][i];
    if (!(result[chosen[i]] >= 0)) return std::nullopt;
  }
  return result;
}

double residual(const Row& row, const Terms& coefficients) {
  double sum = -row.target;
  for (std::size_t i = 0; i < kTerms; ++i) sum += coefficients[i] * row.terms[i];
  return sum;
}

// Non-negative weighted least squares: the best of all subsets of the terms in `allowed`.
Terms best_subset(const std::vector<Row>& rows, unsigned allowed) {
  Terms best{};
  double least = std::numeric_limits<double>::infinity();
  for (unsigned subset = 1; subset < (1U << kTerms); ++subset) {
    if ((subset & ~allowed) != 0) continue;
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < kTerms; ++i)
      if ((subset >> i & 1U) != 0) chosen.push_back(i);
    const auto found = solve(rows, chosen);
    if (!found) continue;
    double loss = 0;
    for (const Row& row : rows) loss += row.weight * std::pow(residual(row, *found), 2);
    if (loss < least * (1 - 1e-12)) least = loss, best = *found;
  }
  return best;
}

// Errors below a percent are noise: their weight grows no further.
Terms least_absolute(std::vector<Row> rows, unsigned allowed) {
  constexpr int kRounds = 25;
  constexpr double kNoise = 0.01;
  Terms best{};
  for (int round = 0; round < kRounds; ++round) {
    best = best_subset(rows, allowed);
    for (Row& row : rows) row.weight = 1 / std::max(std::abs(residual(row, best)), kNoise);
  }
  return best;
}

std::vector<Row> rows_of(const std::vector<Sample>& samples) {
  std::vector<Row> rows;
  for (const Sample& sample : samples) {
    const double time = in_seconds(sample.measured);
    const double wire = in_seconds(sample.known.wire);
    Row row;
    row.terms = {1 / time, sample.known.rounds / time, std::sqrt(wire) / time, wire / time};
    row.target = 1 - in_seconds(sample.known.path) / time;
    rows.push_back(row);
  }
  return rows;
}

bool same_rounds(const std::vector<Sample>& samples) {
  return std::all_of(samples.begin(), samples.end(), [&](const Sample& sample) {
    return sample.known.rounds == samples.front().known.rounds;
  });
}

}  // namespace

CollectiveLaw fit_law(const std::vector<Sample>& samples, Seconds assumed_step) {
  std::vector<Row> rows = rows_of(samples);
  const bool one_depth = same_rounds(samples);
  const unsigned all = one_depth ? 0b1101U : 0b1111U;
  Terms found = least_absolute(rows, all);
  if (found[3] < 1) {  // faster than the links: their full rate, and the best of the rest
    for (Row& row : rows) row.target -= row.terms[3];
    found = least_absolute(rows, all & 0b0111U);
    found[3] = 1;
  }
  CollectiveLaw law;
  law.efficiency = 1 / found[3];
  law.fill = Seconds(std::pow(found[2] / 2, 2) * law.efficiency);
  law.base = Seconds(found[0]);
  law.per_step = Seconds(found[1]);
  const int rounds = samples.front().known.rounds;
  if (one_depth && rounds > 0) {
    law.per_step = Seconds(std::min(in_seconds(assumed_step), found[0] / rounds));
    law.base = Seconds(std::max(0.0, found[0] - rounds * in_seconds(law.per_step)));
  }
  return law;
}

double relative_error(const CollectiveLaw& law, const Sample& sample) {
  return law_time(law, sample.known.path, sample.known.rounds, sample.known.wire) /
             sample.measured -
         1;
}

void add(double signed_error, Errors& errors) {
  const double error = std::abs(signed_error);
  errors.mean += (error - errors.mean) / ++errors.count;
  errors.max = std::max(errors.max, error);
}

Errors errors_of(const CollectiveLaw& law, const std::vector<Sample>& samples) {
  Errors errors;
  for (const Sample& sample : samples) add(relative_error(law, sample), errors);
  return errors;
}

Errors leave_one_out(const std::vector<Sample>& samples, Seconds assumed_step) {
  Errors errors;
  for (std::size_t left = 0; left < samples.size(); ++left) {
    std::vector<Sample> others = samples;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left));
    add(relative_error(fit_law(others, assumed_step), samples[left]), errors);
  }
  return errors;
}

}  // namespace trainyard

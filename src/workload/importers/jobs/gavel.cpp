#include "workload/importers/jobs/gavel.hpp"

#include "base/text.hpp"
#include "workload/importers/jobs/job_collector.hpp"
#include "workload/importers/jobs/throughputs.hpp"
#include "workload/importers/line_reader.hpp"

#include <cmath>
#include <limits>
#include <optional>

namespace trainyard {

namespace {

// Where a variant has its fields, from 0; -1: nowhere.
struct Variant {
  std::size_t columns;
  int steps, gpus, arrival, duration;
};
constexpr Variant kVariants[] = {{7, 4, 6, 5, -1}, {10, 5, 6, 9, -1}, {12, 5, 6, 11, 10}};

class Importer {
public:
  Importer(const std::string& file, const JobTraceOptions& options)
      : reader_(file), collector_(options) {
    if (!options.throughputs.empty()) throughputs_.emplace(options.throughputs, options.worker);
  }

  JobTrace read() {
    while (const auto line = reader_.next()) {
      if (trim(*line).empty()) continue;
      cells_ = split(*line, '\t');
      add(variant());
      if (collector_.is_full()) break;
    }
    return collector_.finish(reader_.place().file);
  }

private:
  const Variant& variant() const {
    for (const Variant& known : kVariants)
      if (known.columns == cells_.size()) return known;
    throw InputError(
        reader_.place(), "",
        "expected 7, 10 or 12 columns with tabs between, found " + std::to_string(cells_.size()));
  }

  double number(int column, const char* name, double least, double most) const {
    const std::string& cell = cells_[static_cast<std::size_t>(column)];
    const auto value = parse_double(trim(cell));
    if (!value || !(*value >= least) || *value > most)
      throw InputError(reader_.place(), "column " + std::to_string(column + 1),
                       std::string(name) + " must be a number from " + shortest(least) + " to " +
                           shortest(most) + ", got '" + printable(cell) + "'");
    return *value;
  }

  void add(const Variant& variant) {
    constexpr double kMostGpus = std::numeric_limits<int>::max();
    constexpr double kLongestTime = 1e11, kMostSteps = 1e12;
    const std::string model(trim(cells_[0]));
    Job job;
    job.name = std::to_string(reader_.place().line);
    job.gpus = static_cast<int>(number(variant.gpus, "GPUs", 1, kMostGpus));
    job.submit = seconds(number(variant.arrival, "the arrival", 0, kLongestTime));
    job.limit = Seconds(0);
    const double steps = number(variant.steps, "steps", 1, kMostSteps);
    if (variant.duration >= 0) {
      job.run_time = seconds(number(variant.duration, "the duration", 0, kLongestTime));
      if (job.run_time <= Seconds(0)) return collector_.drop("run time unknown or zero");
    } else if (throughputs_) {
      const auto rate = throughputs_->steps_per_second(model, job.gpus);
      if (!rate) return collector_.drop("no throughput for its type and GPUs");
      job.run_time = seconds(steps / *rate);
    } else {
      job.steps = std::llround(steps);
    }
    collector_.keep(std::move(job), "", printable(model), reader_.place());
  }

  LineReader reader_;
  std::optional<Throughputs> throughputs_;
  JobCollector collector_;
  std::vector<std::string> cells_;  // of the line read last
};

}  // namespace

JobTrace read_gavel(const std::string& file, const JobTraceOptions& options) {
  return Importer(file, options).read();
}

}  // namespace trainyard

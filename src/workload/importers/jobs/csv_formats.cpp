#include "workload/importers/jobs/csv_formats.hpp"

#include "base/text.hpp"
#include "workload/importers/jobs/dates.hpp"
#include "workload/importers/jobs/job_collector.hpp"
#include "workload/importers/line_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace trainyard {

namespace {

constexpr double kLongestTime = 1e11;  // 3,000 years, as in SWF

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  for (const std::string& cell : split(line, ',')) cells.emplace_back(trim(cell));
  return cells;
}

bool says_nothing(const std::string& cell) {
  return cell.empty() || cell == "None" || cell == "null" || cell == "NaN" || cell == "nan";
}

class Importer {
public:
  Importer(const std::string& file, const CsvJobFormat& format, const JobTraceOptions& options)
      : reader_(file),
        format_(format),
        options_(options),
        columns_(cells_of(format.header)),
        collector_(options) {}

  JobTrace read() {
    read_header();
    while (const auto line = reader_.next()) {
      if (trim(*line).empty()) continue;
      cells_ = cells_of(*line);
      if (cells_.size() != columns_.size())
        throw InputError(reader_.place(), "",
                         "expected " + std::to_string(columns_.size()) + " columns, found " +
                             std::to_string(cells_.size()) + " in '" + printable(*line) + "'");
      add_row();
      if (collector_.is_full()) break;
    }
    return collector_.finish(reader_.place().file);
  }

private:
  void read_header() {
    std::optional<std::string_view> line = reader_.next();
    if (line && line->substr(0, 3) == "\xef\xbb\xbf") line->remove_prefix(3);  // a spreadsheet's
    if (!line || cells_of(*line) != columns_)
      throw InputError(reader_.place(), "",
                       std::string("the first line must be ") + format_.header);
  }

  const std::string& cell(const char* column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    return cells_[static_cast<std::size_t>(found - columns_.begin())];
  }
  std::string text(const char* column) const {
    return column ? printable(cell(column)) : std::string();
  }

  InputError error(const char* column, const std::string& problem) const {
    return {reader_.place(), column, problem + ", got '" + printable(cell(column)) + "'"};
  }

  double number(const char* column) const {
    const auto value = parse_double(cell(column));
    if (!value || !std::isfinite(*value) || std::abs(*value) > kLongestTime * 1e3)
      throw error(column, "must be a number");
    return *value;
  }

  // Seconds from some origin; nothing where the cell says nothing.
  std::optional<double> time(const char* column) const {
    if (says_nothing(cell(column))) return std::nullopt;
    if (format_.times == TimeColumns::AsDates) {
      if (const auto date = parse_date(cell(column))) return date;
      throw error(column, "must be a date like 2020-06-09 18:41:01");
    }
    const double value = number(column);
    if (value < 0) throw error(column, "must not be negative");
    return format_.times == TimeColumns::InMilliseconds ? value / 1e3 : value;
  }

  std::int64_t count(const char* column) const {
    if (!column) return 1;
    const double value = number(column);
    if (value != std::floor(value) || value < 0 || value > std::numeric_limits<int>::max())
      throw error(column, "must be a whole number of GPUs");
    return static_cast<std::int64_t>(value);
  }

  // How long it ran; nothing if it never did.
  std::optional<double> run_time() const {
    if (format_.start) {
      const auto start = time(format_.start);
      const auto end = time(format_.end);
      if (!start || !end) return std::nullopt;
      return *end - *start;
    }
    if (format_.duration) return time(format_.duration);
    const auto known = options_.run_times.find(cell(format_.model));
    if (known != options_.run_times.end()) return in_seconds(known->second);
    std::vector<std::string> names;
    for (const auto& [name, time] : options_.run_times) names.push_back(name);
    throw error(format_.model, "'run_times' does not say how long it runs" +
                                   suggestion(cell(format_.model), names));
  }

  void add_row() {
    const std::int64_t gpus = count(format_.gpus) * count(format_.workers);
    if (gpus > std::numeric_limits<int>::max())
      throw error(format_.gpus, "are more GPUs than any cluster has");
    if (gpus == 0) return collector_.drop("no GPU asked for");
    const std::optional<double> submit = format_.submit ? time(format_.submit) : 0.0;
    if (!submit) throw error(format_.submit, "a job must say when it was submitted");
    const std::optional<double> length = run_time();
    if (!length) return collector_.drop("never started, or still running");
    if (*length <= 0) return collector_.drop("run time unknown or zero");
    Job job;
    job.name = format_.id ? text(format_.id) : std::to_string(reader_.place().line);
    if (job.name.empty()) throw error(format_.id, "a job needs a name");
    job.submit = seconds(*submit);
    job.gpus = static_cast<int>(gpus);
    job.run_time = seconds(*length);
    job.limit = Seconds(0);  // none of these traces has one
    job.user = text(format_.user);
    job.partition = text(format_.queue);
    const std::string queue = job.partition;
    collector_.keep(std::move(job), queue, text(format_.model), reader_.place());
  }

  LineReader reader_;
  const CsvJobFormat& format_;
  const JobTraceOptions& options_;
  const std::vector<std::string> columns_;
  std::vector<std::string> cells_;  // of the line read last
  JobCollector collector_;
};

}  // namespace

JobTrace read_csv_jobs(const std::string& file, const CsvJobFormat& format,
                       const JobTraceOptions& options) {
  return Importer(file, format, options).read();
}

}  // namespace trainyard

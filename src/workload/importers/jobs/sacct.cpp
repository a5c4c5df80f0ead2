#include "workload/importers/jobs/sacct.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/section.hpp"
#include "workload/importers/jobs/dates.hpp"
#include "workload/importers/jobs/job_collector.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <strings.h>
#include <utility>

namespace trainyard {

namespace {

using Fields = std::vector<std::string>;

// "3-00:00:00", "01:30:00", "05:30"; nothing for UNLIMITED and Partition_Limit.
std::optional<double> duration_of(const std::string& text) {
  const std::size_t dash = text.find('-');
  const auto days = dash == std::string::npos ? std::optional<std::int64_t>(0)
                                              : parse_integer(text.substr(0, dash));
  double seconds = 0;
  for (const std::string& part :
       split(dash == std::string::npos ? text : text.substr(dash + 1), ':')) {
    const auto value = parse_double(part);
    if (!value) return {};
    seconds = 60 * seconds + *value;
  }
  return days ? std::optional<double>(86400.0 * static_cast<double>(*days) + seconds)
              : std::nullopt;
}

// Of "cpu=320,gres/gpu=32,mem=1600G,node=4", or "PER_NODE:gpu:8": all GPUs, 0 if it names none.
int gpus_of(const std::string& tres) {
  int typed = 0;
  for (const std::string& part : split(tres, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || part.rfind("gres/gpu", 0) != 0) continue;
    const auto count = parse_integer(part.substr(equals + 1));
    if (!count || *count < 0 || *count > 1'000'000) continue;
    if (equals == 8) return static_cast<int>(*count);
    typed += static_cast<int>(*count);  // "gres/gpu:h100=8": only where no total stands
  }
  return typed;
}

class Sacct {
public:
  Sacct(const std::string& file, const JobTraceOptions& options)
      : file_(file), collector_(options) {
    const std::vector<std::string> lines = split(read_file(file), '\n');
    const bool has_header = options.columns.empty();
    read_columns(lines.front(), options);
    Fields record;
    for (line_ = has_header ? 1 : 0;
         line_ < static_cast<int>(lines.size()) && !collector_.is_full(); ++line_)
      take_line(lines[static_cast<std::size_t>(line_)], record);
    if (!record.empty()) collector_.drop("a line without the header's fields");
  }

  JobTrace finish() { return collector_.finish(file_); }

private:
  void read_columns(const std::string& first_line, const JobTraceOptions& options) {
    const Place here{file_, 1};
    if (first_line.find('|') == std::string::npos)
      throw InputError(here, "", "has no fields of sacct between '|'");
    columns_ = options.columns.empty() ? fields_of(first_line) : options.columns;
    if (column("JobID") >= 0 && column("Submit") >= 0) {
      if (options.columns.empty() || columns_.size() == fields_of(first_line).size()) return;
      throw InputError(here, "",
                       "has " + counted(static_cast<int>(fields_of(first_line).size()), "field") +
                           "; 'columns' names " + std::to_string(columns_.size()));
    }
    throw InputError(here, "",
                     options.columns.empty()
                         ? "the header lacks JobID or Submit; of a file without one (sacct "
                           "--noheader) say the 'columns'"
                         : "'columns' lacks JobID or Submit");
  }

  static Fields fields_of(const std::string& line) {
    Fields fields = split(line, '|');
    for (std::string& field : fields) {
      if (!field.empty() && field.back() == '\r') field.pop_back();
      if (!field.empty() && field.front() == '#') field.erase(0, 1);
    }
    return fields;
  }

  // A line that is too short is the beginning of a field with a line break, or its end.
  void take_line(const std::string& line, Fields& record) {
    if (trim(line).empty() && record.empty()) return;
    Fields fields = fields_of(line);
    const bool whole = fields.size() == columns_.size();
    if (record.empty() || whole) {
      if (!record.empty()) collector_.drop("a line without the header's fields");
      record = std::move(fields);
    } else {
      record.back() += "\n" + fields.front();
      record.insert(record.end(), fields.begin() + 1, fields.end());
    }
    if (record.size() < columns_.size()) return;
    if (record.size() == columns_.size())
      take(record);
    else
      collector_.drop("a line with more than the header's fields");
    record.clear();
  }

  int column(const char* name) const {
    const auto found =
        std::find_if(columns_.begin(), columns_.end(), [name](const std::string& column) {
          return strcasecmp(column.c_str(), name) == 0;  // as sacct itself takes them
        });
    return found == columns_.end() ? -1 : static_cast<int>(found - columns_.begin());
  }

  std::string field(const Fields& record, const char* name) const {
    const int at = column(name);
    return at < 0 ? "" : std::string(trim(record[static_cast<std::size_t>(at)]));
  }

  void take(const Fields& record) {
    Job job;
    job.name = field(record, "JobID");
    if (job.name.empty() || job.name.find('.') != std::string::npos) return;  // a step
    const auto submit = parse_date(field(record, "Submit"));
    job.gpus = std::max(gpus_of(field(record, "ReqTRES")), gpus_of(field(record, "AllocTRES")));
    const std::string raw = field(record, "ElapsedRaw");
    const auto elapsed = raw.empty() ? duration_of(field(record, "Elapsed")) : parse_double(raw);
    if (!submit) return collector_.drop("never submitted");
    if (job.gpus == 0) return collector_.drop("no GPU");
    if (!elapsed || *elapsed <= 0) return collector_.drop("never ran");
    job.submit = Seconds(*submit);
    job.run_time = Seconds(*elapsed);
    job.limit = Seconds(0);  // none
    if (const auto limit = duration_of(field(record, "Timelimit")); limit && *limit > 0)
      job.limit = Seconds(*limit);
    if (!names_.insert(job.name).second) return collector_.drop("a later run of the same job");
    job.sbatch = options_of(record);
    collector_.keep(std::move(job), field(record, "Partition"), "", {file_, line_ + 1});
  }

  std::string options_of(const Fields& record) const {
    std::string options;
    for (const auto& [option, name] :
         {std::pair("--partition=", "Partition"), std::pair("--account=", "Account"),
          std::pair("--qos=", "QOS"), std::pair("--user=", "User")})
      if (const std::string value = field(record, name);
          !value.empty() && value.find_first_of(" \n") == std::string::npos)
        options += (options.empty() ? "" : " ") + std::string(option) + value;
    return options;
  }

  std::string file_;
  Fields columns_;
  std::set<std::string> names_;
  JobCollector collector_;
  int line_ = 0;
};

}  // namespace

JobTrace read_sacct(const std::string& file, const JobTraceOptions& options) {
  return Sacct(file, options).finish();
}

}  // namespace trainyard

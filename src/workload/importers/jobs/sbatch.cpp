#include "workload/importers/jobs/sbatch.hpp"

#include "base/text.hpp"
#include "config/units.hpp"
#include "workload/importers/jobs/job_collector.hpp"
#include "workload/importers/jobs/sbatch_options.hpp"
#include "workload/importers/line_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

namespace trainyard {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> scripts_at(const std::string& file) {
  if (!fs::is_directory(file)) return {file};
  std::vector<std::string> scripts;
  for (const fs::directory_entry& entry : fs::directory_iterator(file)) {
    const std::string ending = entry.path().extension().string();
    if (ending == ".sh" || ending == ".sbatch" || ending == ".slurm")
      scripts.push_back(entry.path().string());
  }
  std::sort(scripts.begin(), scripts.end());
  if (scripts.empty()) throw InputError({file}, "", "has no script: no *.sh, *.sbatch or *.slurm");
  return scripts;
}

// Sets the limit from --time and says what is left to sbatch.
void take_options(SbatchOptions options, const Place& place, Job& job) {
  job.gpus = gpus_of(options);
  job.partition = options.count("partition") > 0 ? options["partition"] : "";
  job.limit = Seconds(0);  // none
  if (const auto time = options.find("time"); time != options.end()) {
    const auto limit = slurm_time(time->second);
    if (!limit)
      throw InputError(place, "", "'" + printable(time->second) + "' is no time of Slurm's");
    job.limit = Seconds(*limit);
  }
  if (options.count("gpus-per-task") > 0) {  // which the number of all says as well
    options.erase("gpus-per-task");
    options["gpus"] = std::to_string(job.gpus);
  }
  if (!job.user.empty()) options["uid"] = job.user;
  job.sbatch = text_of(options);
}

class Script {
public:
  explicit Script(const std::string& file) : reader_(file) {}

  // Up to the first command, as sbatch does.
  Job read() {
    Job job;
    job.name = fs::path(reader_.place().file).stem().string();
    SbatchOptions options;
    Place place = reader_.place();
    while (const auto line = reader_.next()) {
      const std::string_view text = trim(*line);
      if (text.rfind("#SBATCH", 0) == 0)
        add_sbatch_options(std::string(text.substr(7)), place = reader_.place(), options);
      else if (text.rfind("#TRAINYARD", 0) == 0)
        take_ours(std::string(trim(text.substr(10))), job);
      else if (!text.empty() && text.front() != '#')
        break;
    }
    take_options(options, place, job);
    if (job.run_time == Seconds(0)) job.run_time = job.limit;
    return job;
  }

private:
  void take_ours(const std::string& line, Job& job) const {
    const std::size_t colon = line.find(':');
    const std::string key(trim(line.substr(0, colon)));
    const std::string value(colon == std::string::npos ? "" : trim(line.substr(colon + 1)));
    std::string problem;
    if (key == "submit")
      job.submit = parse_seconds(value, problem);
    else if (key == "run_time")
      job.run_time = parse_seconds(value, problem);
    else if (key == "user")
      job.user = value;
    else
      problem =
          "unknown key '" + printable(key) + "'" + suggestion(key, {"submit", "run_time", "user"});
    if (!problem.empty()) throw InputError(reader_.place(), "#TRAINYARD " + key, problem);
  }

  LineReader reader_;
};

// ---- jobs.csv ----

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

// Columns that are an option of sbatch with the same value.
const std::pair<const char*, const char*> kSame[] = {{"nodes", "nodes"},
                                                     {"gpus_per_node", "gpus-per-node"},
                                                     {"cpus_per_node", "cpus-per-task"},
                                                     {"account", "account"},
                                                     {"qos", "qos"},
                                                     {"partition", "partition"},
                                                     {"nice", "nice"},
                                                     {"dependency", "dependency"},
                                                     {"nodelist", "nodelist"},
                                                     {"exclude", "exclude"},
                                                     {"switches", "switches"},
                                                     {"time_min_min", "time-min"},
                                                     {"array", "array"},
                                                     {"reservation", "reservation"},
                                                     {"job_name", "job-name"},
                                                     {"time_limit_min", "time"}};

class JobsCsv {
public:
  JobsCsv(const std::string& file, const JobTraceOptions& options)
      : reader_(file), collector_(options) {}

  JobTrace read() {
    const auto header = reader_.next();
    if (header) columns_ = cells_of(*header);
    for (const char* needed : {"id", "submit_s", "nodes", "gpus_per_node", "run_s"})
      if (std::find(columns_.begin(), columns_.end(), needed) == columns_.end())
        throw InputError(reader_.place(), "", std::string("the header lacks '") + needed + "'");
    while (const auto line = reader_.next()) {
      if (trim(*line).empty()) continue;
      take(cells_of(*line));
      if (collector_.is_full()) break;
    }
    return collector_.finish(reader_.place().file);
  }

private:
  void take(const std::vector<std::string>& cells) {
    if (cells.size() != columns_.size())
      throw InputError(reader_.place(), "",
                       "has " + counted(static_cast<std::int64_t>(cells.size()), "value") +
                           ", the header has " + std::to_string(columns_.size()));
    row_.clear();
    for (std::size_t i = 0; i < cells.size(); ++i) row_[columns_[i]] = cells[i];
    Job job;
    job.name = row_["id"];
    job.user = row_["user"];
    job.submit = Seconds(number("submit_s"));
    job.run_time = Seconds(number("run_s"));
    take_options(options(), reader_.place(), job);
    if (job.gpus == 0) return collector_.drop("no GPU");
    if (job.run_time <= Seconds(0)) return collector_.drop("run time unknown or zero");
    const std::string queue = job.partition;
    collector_.keep(std::move(job), queue, "", reader_.place());
  }

  double number(const char* column) {
    const auto value = parse_double(row_[column]);
    if (!value || *value < 0)
      throw InputError(reader_.place(), column,
                       "must be a number of seconds, got '" + printable(row_[column]) + "'");
    return *value;
  }

  bool yes(const char* column) {
    const std::string& value = row_[column];
    return value == "1" || value == "yes" || value == "true";
  }

  // A task on each node.
  SbatchOptions options() {
    SbatchOptions options;
    for (const auto& [column, option] : kSame)
      if (!row_[column].empty()) options[option] = row_[column];
    options["ntasks"] = row_["nodes"];
    const auto gpus = parse_integer(row_["gpus_per_node"]);
    if (row_["cpus_per_node"].empty() && gpus && *gpus > 0 && *gpus < 1'000'000)
      options["cpus-per-task"] = std::to_string(2 * *gpus);
    if (yes("exclusive")) options["exclusive"] = "";
    if (yes("hold")) options["hold"] = "";
    if (!row_["requeue"].empty()) options[yes("requeue") ? "requeue" : "no-requeue"] = "";
    if (const auto begin = parse_double(row_["begin_s"]))
      options["begin"] = "now+" + shortest(std::max(0.0, *begin - number("submit_s")));
    add_sbatch_options(row_["extra"], reader_.place(), options);
    return options;
  }

  LineReader reader_;
  JobCollector collector_;
  std::vector<std::string> columns_;
  std::map<std::string, std::string> row_;  // the line read last, by column
};

}  // namespace

JobTrace read_sbatch(const std::string& file, const JobTraceOptions& options) {
  JobCollector collector(options);
  for (const std::string& script : scripts_at(file)) {
    Job job = Script(script).read();
    const std::string queue = job.partition;
    if (job.gpus == 0)
      collector.drop("no GPU");
    else if (job.run_time <= Seconds(0))
      throw InputError({script}, "", "says neither '#TRAINYARD run_time' nor --time");
    else
      collector.keep(std::move(job), queue, "", {script});
  }
  return collector.finish(file);
}

JobTrace read_slurm_jobs(const std::string& file, const JobTraceOptions& options) {
  return JobsCsv(file, options).read();
}

}  // namespace trainyard

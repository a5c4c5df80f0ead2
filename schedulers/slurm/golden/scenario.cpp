#include "schedulers/slurm/golden/scenario.hpp"

#include "base/hostlist.hpp"
#include "base/text.hpp"
#include "schedulers/slurm/golden/csv.hpp"
#include "schedulers/slurm/site/read_site.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace trainyard::slurm {

namespace {

std::vector<std::string> hosts(const CsvRow& row, const std::string& column) {
  if (row.text(column).empty()) return {};
  Hostlist list = expand_hostlist(row.text(column));
  if (!list.problem.empty()) throw row.error(column, list.problem);
  return std::move(list.names);
}

std::vector<int> numbers(const CsvRow& row, const std::string& column) {
  std::vector<int> values;
  for (const std::string& word : split(row.text(column), ' ')) {
    const auto value = parse_integer(word);
    if (!value) throw row.error(column, "must be integers");
    values.push_back(static_cast<int>(*value));
  }
  return values;
}

// The question is for people; a scenario without it is still one.
std::string question_of(const std::filesystem::path& file) {
  std::ifstream input(file);
  std::ostringstream text;
  text << input.rdbuf();
  const std::string key = "\"question\": \"";
  const std::string all = text.str();
  const std::size_t begin = all.find(key);
  if (begin == std::string::npos) return "";
  const std::size_t end = all.find("\",", begin + key.size());
  return all.substr(begin + key.size(), end - begin - key.size());
}

void read_segments(GoldenScenario& scenario, const std::string& file) {
  const Csv csv(file);
  for (const CsvRow& row : csv.rows()) {
    GoldenSegment segment;
    segment.id = row.text("id");
    segment.restarts = row.integer("seg", 0);
    segment.start = row.number("start_s", -1);
    segment.end = row.number("end_s", -1);
    segment.end_state = row.text("end_state");
    segment.nodes = hosts(row, "nodelist");
    segment.priority = row.number("priority", 0);
    scenario.segments.push_back(std::move(segment));
  }
}

void read_decisions(GoldenScenario& scenario, const std::string& file) {
  const Csv csv(file);
  for (const CsvRow& row : csv.rows()) {
    GoldenDecision decision;
    decision.time = row.number("t_s", 0);
    decision.id = row.text("id");
    decision.mechanism = row.text("mechanism");
    decision.free_gpus = numbers(row, "free_gpus_before");
    decision.free_cpus = numbers(row, "free_cpus_before");
    decision.unavailable = hosts(row, "unavailable_nodes");
    decision.completing = hosts(row, "completing_nodes");
    decision.nodes = hosts(row, "chosen_nodes");
    decision.gpus = row.text("chosen_gpu_idx");
    scenario.decisions.push_back(std::move(decision));
  }
}

// What the clock on the wall showed: plans are rounded to its full minutes. From a job that was
// submitted once; 0 where nothing says so.
long epoch_of(const GoldenScenario& scenario, const std::filesystem::path& file) {
  std::ifstream input(file);
  std::string line, name;
  bool once = false;
  while (std::getline(input, line)) {
    if (const std::size_t at = line.find("JobName="); at != std::string::npos)
      name = line.substr(at + 8);
    if (line.find("Restarts=0") != std::string::npos) once = true;
    if (line.find("Restarts=") != std::string::npos && line.find("Restarts=0") == std::string::npos)
      once = false;
    const std::size_t at = line.find("SubmitTime=");
    if (at == std::string::npos || !once) continue;
    const auto minutes = parse_integer(line.substr(at + 25, 2));
    const auto seconds = parse_integer(line.substr(at + 28, 2));
    for (const SlurmJob& job : scenario.jobs)
      if (job.job_name == name && minutes && seconds)
        return static_cast<long>(*minutes * 60 + *seconds) - static_cast<long>(job.submitted);
  }
  return 0;
}

}  // namespace

GoldenScenario read_scenario(const std::string& folder) {
  const std::filesystem::path root(folder);
  GoldenScenario scenario;
  scenario.name =
      root.filename().empty() ? root.parent_path().filename().string() : root.filename().string();
  scenario.question = question_of(root / "scenario.json");
  scenario.site = read_site(site_files(folder));
  scenario.jobs = read_golden_jobs((root / "jobs.csv").string(), scenario.site);
  if (std::filesystem::exists(root / "events.csv")) {
    const Csv csv((root / "events.csv").string());
    for (const CsvRow& row : csv.rows())
      scenario.events.push_back({row.number("t_s", 0), row.text("action")});
  }
  if (std::filesystem::exists(root / "observed" / "outcome.csv"))
    read_segments(scenario, (root / "observed" / "outcome.csv").string());
  if (std::filesystem::exists(root / "observed" / "decisions.csv"))
    read_decisions(scenario, (root / "observed" / "decisions.csv").string());
  scenario.epoch = epoch_of(scenario, root / "observed" / "raw" / "scontrol_show_job.txt");
  return scenario;
}

}  // namespace trainyard::slurm

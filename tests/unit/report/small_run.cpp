#include "small_run.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace trainyard {

Platform nodes_of_gpus(int nodes, int gpus_per_node) {
  Platform platform;
  platform.name = "small";
  platform.topology = "plain";
  for (int n = 0; n < nodes; ++n) {
    platform.nodes.push_back({"node" + std::to_string(n),
                              GpuId{static_cast<std::int64_t>(n) * gpus_per_node}, gpus_per_node,
                              SwitchId{}});
    for (int g = 0; g < gpus_per_node; ++g) {
      Gpu gpu{};
      gpu.node = NodeId{n};
      platform.gpus.push_back(gpu);
    }
  }
  return platform;
}

Platform small_platform() {
  Platform platform = nodes_of_gpus(4, 2);
  Link link;
  link.name = "leaf0/spine0/up";
  link.bandwidth = gigabytes_per_second(50);
  link.link_class = LinkClass::Fabric;
  link.level = 1;
  platform.links.push_back(link);
  return platform;
}

namespace {

Job job(int id, const std::string& name, Seconds submit, int gpus) {
  Job job;
  job.id = JobId{id};
  job.name = name;
  job.workload = "mix";
  job.submit = submit;
  job.gpus = gpus;
  return job;
}

AttemptRecord attempt(int job, int number, double start, double end, JobState state) {
  AttemptRecord attempt;
  attempt.job = JobId{job};
  attempt.attempt = number;
  attempt.start = seconds(start);
  attempt.end = seconds(end);
  attempt.end_state = state;
  return attempt;
}

std::vector<AttemptRecord> small_attempts() {
  AttemptRecord beta_fails = attempt(1, 0, 5, 25, JobState::NodeFail);
  beta_fails.cause = "node2 failed";
  beta_fails.allocation.gpus = {GpuId{4}, GpuId{5}};
  beta_fails.work = seconds(8);
  beta_fails.checkpoint = seconds(2);
  beta_fails.lost = seconds(10);

  AttemptRecord alpha = attempt(0, 0, 10, 60, JobState::Completed);
  alpha.allocation.gpus = {GpuId{0}, GpuId{1}, GpuId{2}, GpuId{3}};
  alpha.checkpoint = seconds(5);
  alpha.work = seconds(45);
  alpha.slow_gpu = seconds(2);
  alpha.slow_link = seconds(1);
  alpha.contention = seconds(3);

  AttemptRecord beta_again = attempt(1, 1, 40, 80, JobState::Completed);
  beta_again.allocation.gpus = {GpuId{6}, GpuId{7}};
  beta_again.restart = seconds(4);
  beta_again.work = seconds(36);
  return {beta_fails, alpha, beta_again};
}

}  // namespace

EventLog small_log() {
  EventLog log;
  log.jobs = {job(0, "alpha", seconds(0), 4), job(1, "beta", seconds(5), 2),
              job(2, "gamma", seconds(50), 8)};
  log.jobs[0].limit = seconds(3600);
  log.attempts = small_attempts();
  IterationRecord step;
  step.job = JobId{0};
  step.start = seconds(10);
  step.duration = seconds(1.5);
  step.isolated = seconds(1.25);
  step.contention = seconds(0.25);
  step.rivals = "beta 1.00";
  step.rival_link = "leaf0/spine0/up";
  log.iterations = {step};
  log.links = {{LinkId{0}, 1e12, seconds(30)}};
  log.spans = {{JobId{0}, 0, "step 0", seconds(10), seconds(11.5)},
               {JobId{0}, 0, "checkpoint", seconds(11.5), seconds(16.5)}};
  log.outages = {{NodeId{2}, seconds(25), seconds(90)}};
  log.end = seconds(100);
  log.warnings = {"a warning"};
  return log;
}

RunInfo small_info() {
  RunInfo info;
  info.question = "What does a failure cost?";
  info.experiment = "small";
  info.facts = {{"policy", "fifo"}, {"seed", "7"}};
  info.counts = {{"dropped_lines", 3}};
  info.resolved_yaml = "seed: 7\n";
  return info;
}

std::string written(void (*writer)(const Report&, std::ostream&), const Platform& platform,
                    const EventLog& log) {
  const RunInfo info = small_info();
  std::ostringstream out;
  writer({platform, log, info}, out);
  return out.str();
}

namespace {

std::vector<std::vector<std::string>> csv_fields(const std::string& text) {
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> line(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') {
      line.back() += text[++i];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (text[i] == ',' && !quoted) {
      line.emplace_back();
    } else if (text[i] == '\n' && !quoted) {
      lines.push_back(line);
      line.assign(1, "");
    } else {
      line.back() += text[i];
    }
  }
  return lines;
}

}  // namespace

std::vector<std::map<std::string, std::string>> read_csv(const std::string& text) {
  const auto lines = csv_fields(text);
  std::vector<std::map<std::string, std::string>> rows;
  for (std::size_t row = 1; row < lines.size(); ++row) {
    rows.emplace_back();
    for (std::size_t i = 0; i < lines[0].size(); ++i) rows.back()[lines[0][i]] = lines[row].at(i);
  }
  return rows;
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

ScratchDirectory::ScratchDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "trainyard_XXXXXX").string();
  path_ = mkdtemp(pattern.data());
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace trainyard

#include "support/experiment_run.hpp"

#include "base/error.hpp"
#include "config/section.hpp"
#include "study/simulate.hpp"
#include "support/log_pipe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

namespace trainyard {

namespace {

Platform no_plain(const std::string& file) { throw std::logic_error("a plain platform: " + file); }

// Where relative paths of the YAML start, and the file that messages name.
const char* const kFile = TRAINYARD_SOURCE_DIR "/tests/test.yaml";

Outcome outcome_of(const std::function<EventLog()>& run) {
  Outcome outcome;
  try {
    outcome.log = run();
    outcome.exit_code = 0;
  } catch (const Error& error) {
    outcome.exit_code = error.exit_code();
    outcome.error = error.what();
  } catch (const std::exception& error) {
    outcome.exit_code = 70;
    outcome.error = error.what();
  }
  return outcome;
}

Outcome run_here(const std::string& yaml, const SchedulingPolicy* policy) {
  return outcome_of([&] {
    Document document = Document::parse(yaml, kFile);
    Simulation simulation;
    const Experiment experiment = read_experiment(
        document, kFile,
        [&simulation](const std::string& file) { return simulation.load_plain(file); });
    const auto watch = [](Seconds, std::int64_t) {};
    return policy ? simulate_under(*policy, experiment, simulation, watch)
                  : simulate(experiment, simulation, watch);
  });
}

struct Child {
  pid_t pid = -1;
  int pipe = -1;
};

Child start(const std::function<Outcome()>& work) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);  // or the child would print our buffers again
  const pid_t pid = fork();
  if (pid != 0) {
    close(ends[1]);
    return {pid, ends[0]};
  }
  close(ends[0]);
  Outcome outcome = work();
  LogWriter out(ends[1]);
  out(outcome.exit_code, outcome.error);
  log_fields(out, outcome.log);
  out.flush();
  _exit(0);
}

Outcome finish(const Child& child) {
  Outcome outcome;
  LogReader in(child.pipe);  // reads to the end: the child is not held up by a full pipe
  close(child.pipe);
  int status = 0;
  waitpid(child.pid, &status, 0);
  if (WIFSIGNALED(status) || WEXITSTATUS(status) != 0) {
    outcome.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    outcome.error = "the run crashed";
    return outcome;
  }
  in(outcome.exit_code, outcome.error);
  log_fields(in, outcome.log);
  return outcome;
}

JobId id_of(const EventLog& log, const std::string& name) {
  for (const Job& job : log.jobs)
    if (job.name == name) return job.id;
  throw std::logic_error("no job " + name);
}

}  // namespace

Outcome run_experiment(const std::string& yaml) {
  return finish(start([&] { return run_here(yaml, nullptr); }));
}

Outcome run_prepared(const Experiment& experiment) {
  return finish(start([&] {
    return outcome_of([&] {
      Simulation simulation;
      return simulate(experiment, simulation, [](Seconds, std::int64_t) {});
    });
  }));
}

Outcome run_under(const SchedulingPolicy& policy, const std::string& yaml) {
  return finish(start([&] { return run_here(yaml, &policy); }));
}

std::vector<Outcome> run_experiments(const std::vector<std::string>& yamls) {
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < yamls.size(); i += 2) {
    const Child first = start([&] { return run_here(yamls[i], nullptr); });
    const bool two = i + 1 < yamls.size();
    const Child second = two ? start([&] { return run_here(yamls[i + 1], nullptr); }) : Child{};
    outcomes.push_back(finish(first));
    if (two) outcomes.push_back(finish(second));
  }
  return outcomes;
}

Experiment experiment_of(const std::string& yaml) {
  Document document = Document::parse(yaml, kFile);
  return read_experiment(document, kFile, no_plain);
}

std::string switch_platform(int nodes, int gpus, int nics_per_node) {
  const int nics = nics_per_node > 0 ? nics_per_node : gpus;
  const std::string name =
      "switch_" + std::to_string(nodes) + "x" + std::to_string(gpus) + "_" + std::to_string(nics);
  std::string file = testing::TempDir() + name + "_" + std::to_string(getpid()) + ".xml";
  if (std::filesystem::exists(file)) return file;
  std::ofstream xml(file);
  const auto property = [&xml](const std::string& id, const std::string& value) {
    xml << "<prop id=\"" << id << "\" value=\"" << value << "\"/>\n";
  };
  xml << "<?xml version=\"1.0\"?>\n"
         "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\"><zone id=\""
      << name << "\" routing=\"None\">\n";
  property("topology", "single_switch");
  property("nodes", std::to_string(nodes));
  property("gpus_per_node", std::to_string(gpus));
  if (gpus > 1) {
    property("nvlink_bandwidth", "400 GB/s");
    property("nvlink_latency", "0.5 us");
  }
  property("nics_per_node", std::to_string(nics));
  property("nic_bandwidth", "50 GB/s");
  property("nic_latency", "0.5 us");
  property("switch_latency", "0 s");
  property("calibration", "assumed");
  xml << "</zone></platform>\n";
  return file;
}

std::vector<AttemptRecord> attempts_of(const EventLog& log, const std::string& job) {
  std::vector<AttemptRecord> result;
  const JobId id = id_of(log, job);
  std::copy_if(log.attempts.begin(), log.attempts.end(), std::back_inserter(result),
               [id](const AttemptRecord& attempt) { return attempt.job == id; });
  return result;
}

AttemptRecord only_attempt_of(const EventLog& log, const std::string& job) {
  const std::vector<AttemptRecord> attempts = attempts_of(log, job);
  EXPECT_EQ(attempts.size(), 1U) << job;
  return attempts.empty() ? AttemptRecord{} : attempts.front();
}

std::vector<IterationRecord> iterations_of(const EventLog& log, const std::string& job) {
  std::vector<IterationRecord> result;
  const JobId id = id_of(log, job);
  std::copy_if(log.iterations.begin(), log.iterations.end(), std::back_inserter(result),
               [id](const IterationRecord& record) { return record.job == id; });
  return result;
}

double mean_step_of(const EventLog& log, const std::string& job) {
  double steps = 0, time = 0;
  for (const IterationRecord& record : iterations_of(log, job)) {
    steps += static_cast<double>(record.steps);
    time += static_cast<double>(record.steps) * in_seconds(record.duration);
  }
  return time / steps;
}

}  // namespace trainyard

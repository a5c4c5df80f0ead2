// `trainyard whatif`: an experiment run again without one cause at a time.
//
// Every run is the whole closed loop in a process of its own. A job alone is one more run a job.

#include "app/commands.hpp"
#include "app/experiment_file.hpp"
#include "app/points.hpp"
#include "app/scratch_folder.hpp"
#include "base/error.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "report/table.hpp"
#include "report/writers/csv.hpp"
#include "study/simulate.hpp"
#include "study/sweep.hpp"
#include "study/whatif/causes.hpp"

#include <fstream>
#include <iostream>
#include <optional>
#include <unistd.h>

namespace trainyard {

namespace {

constexpr std::size_t kMostJobs = 20;  // each is a run of its own

// One run of the experiment: without a cause, or with one job only, or as it is.
struct Variant {
  std::string name;
  const Cause* cause = nullptr;
  std::optional<std::size_t> only = {};  // this job
};

// What the parent knows of the experiment. It does not read it itself: a plain SimGrid platform
// needs the engine, which is one per process.
struct Outline {
  std::vector<std::string> jobs;
  std::vector<bool> acts;  // by causes()
};

void write_outline(const Experiment& experiment, const std::string& file) {
  std::ofstream out(file);
  for (const Cause& cause : causes()) out << cause.acts(experiment) << '\n';
  for (const Job& job : experiment.jobs) out << job.name << '\n';
}

Outline read_outline(const std::string& file) {
  std::ifstream in(file);
  Outline outline;
  std::string line;
  for (std::size_t cause = 0; cause < causes().size() && std::getline(in, line); ++cause)
    outline.acts.push_back(line == "1");
  while (std::getline(in, line)) outline.jobs.push_back(line);
  return outline;
}

Outline outline_of(Document& document, const RunOptions& options, const std::string& file) {
  for_each_piece(options, {""}, /*live=*/false, [&](std::size_t) {
    Simulation simulation;
    write_outline(read(document, options, simulation), file);
  });
  return read_outline(file);
}

std::vector<std::size_t> jobs_asked_for(const std::vector<std::string>& names,
                                        const std::string& name) {
  std::vector<std::size_t> chosen;
  for (std::size_t job = 0; job < names.size(); ++job)
    if (name.empty() || names[job] == name) chosen.push_back(job);
  if (chosen.empty())
    throw InputError({}, "--job", "no job '" + name + "'" + suggestion(name, names));
  if (chosen.size() > kMostJobs)
    throw InputError({}, "--job",
                     std::to_string(chosen.size()) + " jobs, each a run of its own: name one");
  return chosen;
}

std::vector<Variant> variants_of(const Outline& outline, const std::vector<std::size_t>& jobs) {
  std::vector<Variant> variants = {{"nothing"}};
  for (std::size_t cause = 0; cause < causes().size(); ++cause)
    if (outline.acts[cause]) variants.push_back({causes()[cause].name, &causes()[cause]});
  if (outline.jobs.size() > 1)
    for (const std::size_t job : jobs) variants.push_back({"other jobs", nullptr, job});
  return variants;
}

// A line a job: mean step and response.
void run_variant(Document& document, const RunOptions& options, const Variant& variant,
                 const std::string& file) {
  Simulation simulation;
  Experiment experiment = read(document, options, simulation);
  if (variant.cause) variant.cause->remove(experiment);
  if (variant.only) keep_only(experiment, *variant.only);
  const EventLog log = simulate(experiment, simulation, [](Seconds, std::int64_t) {});
  std::ofstream out(file);
  out.precision(17);
  for (const Job& job : log.jobs) {
    const JobFared result = fared(log, job.id);
    out << in_seconds(result.step) << ' ' << in_seconds(result.response) << '\n';
  }
}

// By job; of a job alone, that job.
std::vector<JobFared> read_variant(const std::string& file) {
  std::ifstream in(file);
  std::vector<JobFared> all;
  for (double step = 0, response = 0; in >> step >> response;)
    all.push_back({Seconds(step), Seconds(response)});
  return all;
}

struct Answer {
  std::string job, without;
  JobFared result, saved;
};

std::vector<Answer> answers_of(const std::vector<std::string>& names,
                               const std::vector<std::size_t>& jobs,
                               const std::vector<Variant>& variants,
                               const std::vector<std::vector<JobFared>>& results) {
  std::vector<Answer> answers;
  for (const std::size_t job : jobs) {
    const JobFared as_it_is = results.front()[job];
    for (std::size_t v = 0; v < variants.size(); ++v) {
      if (variants[v].only && *variants[v].only != job) continue;
      const JobFared result = results[v][variants[v].only ? 0 : job];
      answers.push_back({names[job],
                         variants[v].name,
                         result,
                         {as_it_is.step - result.step, as_it_is.response - result.response}});
    }
  }
  return answers;
}

void print_answers(const std::vector<Answer>& answers) {
  Table table({{"job", Align::Left},
               {"without", Align::Left},
               {"step ms", Align::Right},
               {"saves ms", Align::Right},
               {"from submission to end", Align::Right},
               {"saves", Align::Right}});
  std::string job;
  for (const Answer& answer : answers) {
    const bool first = answer.job != job;
    job = answer.job;
    table.add({first ? job : "", answer.without, fixed(1e3 * in_seconds(answer.result.step), 3),
               first ? "" : fixed(1e3 * in_seconds(answer.saved.step), 3),
               fixed(in_seconds(answer.result.response), 1) + " s",
               first ? "" : fixed(in_seconds(answer.saved.response), 1) + " s"});
  }
  std::cout << table.text();
}

void write_csv(const std::vector<Answer>& answers, std::ostream& out) {
  out << "job,without,step_s,step_saved_s,response_s,response_saved_s\n";
  for (const Answer& answer : answers)
    CsvLine(out)
        .text(answer.job)
        .text(answer.without)
        .number(in_seconds(answer.result.step))
        .number(in_seconds(answer.saved.step))
        .number(in_seconds(answer.result.response))
        .number(in_seconds(answer.saved.response))
        .end();
}

}  // namespace

void what_if_command(const WhatIfOptions& options) {
  Document document = load_document(options.run);
  if (!take_sweep(document).empty())
    throw InputError({options.run.experiment}, "sweep",
                     "whatif asks about one experiment: take the sweep out");
  const ScratchFolder scratch;
  const Outline outline = outline_of(document, options.run, scratch.file(0));
  const std::vector<std::size_t> jobs = jobs_asked_for(outline.jobs, options.job);
  const std::vector<Variant> variants = variants_of(outline, jobs);
  std::vector<std::string> names;
  names.reserve(variants.size());
  for (const Variant& variant : variants) names.push_back("without " + variant.name);
  const bool live = !options.run.quiet && isatty(STDERR_FILENO) != 0;
  for_each_piece(options.run, names, live, [&](std::size_t piece) {
    run_variant(document, options.run, variants[piece], scratch.file(piece));
  });
  std::vector<std::vector<JobFared>> results;
  for (std::size_t v = 0; v < variants.size(); ++v)
    results.push_back(read_variant(scratch.file(v)));
  const std::vector<Answer> answers = answers_of(outline.jobs, jobs, variants, results);
  if (!options.csv.empty())
    write_file_whole(options.csv, [&](std::ostream& out) { write_csv(answers, out); });
  print_answers(answers);
  for (const Variant& variant : variants)
    if (variant.cause)
      std::cout << "without " << variant.name << ": " << variant.cause->sentence << '\n';
}

}  // namespace trainyard

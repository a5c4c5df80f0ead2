#include "app/refusal.hpp"

namespace trainyard::testing {

void expect_refused(const Refusal& refusal) {
  const Workplace place;
  place.write("e.yaml", refusal.experiment);
  for (const auto& [name, content] : refusal.files) place.write(name, content);
  const std::vector<std::string> before = place.listing();
  for (const std::string& command : std::vector<std::string>{"check", "run"}) {
    std::vector<std::string> arguments = {command, "e.yaml"};
    if (command == "run") arguments.insert(arguments.end(), {"-o", "deep/out"});
    arguments.insert(arguments.end(), refusal.arguments.begin(), refusal.arguments.end());
    const Outcome outcome = place.run(arguments);
    EXPECT_EQ(outcome.code, refusal.code) << command;
    EXPECT_EQ(outcome.err, "trainyard: " + refusal.message + "\n") << command;
    EXPECT_EQ(outcome.out, "") << command;
    EXPECT_EQ(place.listing(), before) << command << " left something behind";
  }
}

std::string one_job(const std::string& added) { return fixture("one_job.yaml") + added; }

std::string one_job_with(const std::string& what, const std::string& with) {
  return replaced(fixture("one_job.yaml"), what, with);
}

std::string plain_job(const std::string& added) {
  return replaced(one_job_with("gpus: 4", "gpus: 2"), "tiny.xml", "p.xml") + added;
}

std::string own_program(const std::string& operations, int gpus) {
  return replaced(replaced(fixture("own_program.yaml"), "OPERATIONS", operations), "GPUS",
                  std::to_string(gpus));
}

std::string swf_line(int job, int run_time, int processors, int status) {
  const std::string size = std::to_string(processors);
  return std::to_string(job) + " 0 -1 " + std::to_string(run_time) + " " + size + " -1 -1 " + size +
         " 200 -1 " + std::to_string(status) + " 1 1 1 1 1 -1 -1\n";
}

}  // namespace trainyard::testing

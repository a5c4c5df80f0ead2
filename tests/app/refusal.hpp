// An experiment that must be refused, by `check` and by `run` with the same words, leaving nothing
// behind.
#pragma once

#include "app/program.hpp"

#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace trainyard::testing {

struct Refusal {
  std::string name;        // of the test
  std::string experiment;  // what experiment.yaml holds
  int code = 2;
  std::string message;                         // without "trainyard: "
  std::map<std::string, std::string> files{};  // beside it
  std::vector<std::string> arguments{};        // after the experiment's file
};

// For failures and for the tests' names.
inline std::ostream& operator<<(std::ostream& out, const Refusal& refusal) {
  return out << refusal.name;
}
inline std::string name_of(const ::testing::TestParamInfo<Refusal>& info) {
  return info.param.name;
}

void expect_refused(const Refusal& refusal);

// The fixtures' experiments, changed: one job on the tiny cluster, and with lines added; one job on
// a plain SimGrid platform of two hosts, p.xml; one job with a program of its own.
std::string one_job(const std::string& added = "");
std::string one_job_with(const std::string& what, const std::string& with);
std::string plain_job(const std::string& added = "");
std::string own_program(const std::string& operations, int gpus);

// One line of a trace.
std::string swf_line(int job, int run_time, int processors, int status);

}  // namespace trainyard::testing

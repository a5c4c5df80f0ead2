// What is said to a policy outside the program and what it may answer, as JSON; README.md is the
// protocol. Pure: text in, text out.
//
// INVARIANT: decisions that are read are valid when carried out in order on the view. Whatever else
// an answer holds is an error that quotes it.
#pragma once

#include "schedulers/policy.hpp"

#include <string>
#include <vector>

namespace trainyard {

std::string hello_text(const Platform& platform);
std::string question_text(const ClusterView& view);

// Throws std::invalid_argument with what is wrong.
void check_hello(const std::string& answer);

struct Answer {
  std::vector<Decision> decisions;
  Seconds wake = forever();  // when it wants to be asked again though nothing has happened
};
// A start that names no GPUs is placed by `placement`.
Answer read_answer(const std::string& answer, const ClusterView& view, const Placement& placement);

}  // namespace trainyard

// Something wrong, or worth knowing, about a step's programs: where, and what.
#pragma once

#include <string>

namespace trainyard {

struct LintFinding {
  enum class Severity { Warning, Error };
  Severity severity = Severity::Error;
  std::string rule;     // "cycle", "missing rank" ...: what findings are counted by
  std::string place;    // "file:12", "file: node 12", or "program 3, operation 'x'"
  std::string problem;  // one sentence
};

}  // namespace trainyard

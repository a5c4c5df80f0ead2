// The words of GOAL's lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

class GoalWords {
public:
  // Comments (to the end of the line, or over several) left out; braces and a label's colon stand
  // alone. Lines must come in order.
  std::vector<std::string> words_of(std::string_view line);

private:
  bool comment_ = false;  // the last line ended inside one
};

}  // namespace trainyard

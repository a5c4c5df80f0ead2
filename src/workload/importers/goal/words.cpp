#include "workload/importers/goal/words.hpp"

#include <cctype>

namespace trainyard {

std::vector<std::string> GoalWords::words_of(std::string_view line) {
  std::vector<std::string> words;
  bool open = false;  // the last word goes on
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (comment_) {
      if (line.substr(i, 2) == "*/") comment_ = false, ++i;
      continue;
    }
    if (line.substr(i, 2) == "//") break;
    if (line.substr(i, 2) == "/*") {
      comment_ = true, open = false, ++i;
    } else if (std::isspace(static_cast<unsigned char>(line[i])) != 0) {
      open = false;
    } else if (line[i] == '{' || line[i] == '}' || line[i] == ':') {
      words.emplace_back(1, line[i]);
      open = false;
    } else {
      if (!open) words.emplace_back();
      words.back() += line[i];
      open = true;
    }
  }
  return words;
}

}  // namespace trainyard

// Files of a site for tests: the repository's own, and reference data that may be absent.
#pragma once

#include "base/error.hpp"
#include "config/section.hpp"
#include "unit/workload/files.hpp"

#include <functional>
#include <string>

namespace trainyard::testing {

// tests/data/site/<name>: its text.
inline std::string site_text(const std::string& name) {
  return read_file(source_path("tests/data/site/" + name));
}

// What reading says of wrong input; "accepted" if it says nothing.
inline std::string refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << "nothing to replace: " << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

}  // namespace trainyard::testing

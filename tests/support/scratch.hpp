// Places for a test's files. Tests run at the same time, each in a process of its own: what one
// writes, no other sees.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <unistd.h>

namespace trainyard {

// A path that is this process's own and ends in `name`; nothing is created.
inline std::string scratch_path(const std::string& name) {
  return testing::TempDir() + "trainyard_" + std::to_string(getpid()) + "_" + name;
}

}  // namespace trainyard

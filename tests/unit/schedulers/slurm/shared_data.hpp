// Reference data beside the repository; tests that need it skip loudly where it is absent.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace trainyard {

inline std::filesystem::path shared_data() {
  const char* data = std::getenv("TRAINYARD_DATA");
  return data ? data : "../shared";
}

// The folders of the golden scenarios, by name; empty where there are none.
inline std::vector<std::string> golden_scenarios() {
  std::vector<std::string> folders;
  const std::filesystem::path root = shared_data() / "slurm-golden" / "scenarios";
  if (!std::filesystem::exists(root)) return folders;
  for (const auto& entry : std::filesystem::directory_iterator(root))
    if (entry.is_directory()) folders.push_back(entry.path().string());
  std::sort(folders.begin(), folders.end());
  return folders;
}

}  // namespace trainyard

// A directory that appears whole or not at all.
//
// Files are written into a sibling "<directory>.partial-<tag>"; commit() renames it into place, and
// a directory that was there goes aside first and is deleted last. Until then, and after any error,
// nothing of it can be seen: the destructor removes the partial directory and the parents made for
// it. A partial directory that a killed process left behind under the same tag is removed first.
#pragma once

#include "base/output_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard {

// Throws InputError unless `directory` is free, or `replace` is set and it is empty or an earlier
// result (it has a summary.json): anything else is somebody's, and stays.
void check_replaceable(const std::string& directory, bool replace);

class StagedDirectory {
public:
  StagedDirectory(const std::string& directory, const std::string& tag);
  StagedDirectory(const StagedDirectory&) = delete;
  StagedDirectory& operator=(const StagedDirectory&) = delete;
  ~StagedDirectory();

  // Where it is until commit(), for what is not written through write().
  const std::filesystem::path& partial() const { return partial_; }

  // InputError if any byte did not arrive.
  void write(const std::string& name, const FileContent& content);
  void commit();

private:
  void create_parents();
  void remove_traces();

  std::string named_;  // as the user wrote it: for messages
  std::filesystem::path final_, partial_, aside_;
  std::vector<std::filesystem::path> created_parents_;  // outermost first
  bool committed_ = false;
};

}  // namespace trainyard

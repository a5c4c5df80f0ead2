#include "report/staged_directory.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <system_error>

namespace trainyard {

namespace {

namespace fs = std::filesystem;

InputError cannot_be_written(const std::string& file, const std::error_code& why) {
  return {{file}, "", "cannot be written: " + why.message()};
}

// Without a trailing slash and with symbolic links followed: what renaming works on.
fs::path resolved(const std::string& directory) {
  fs::path path = fs::weakly_canonical(fs::absolute(directory));
  return path.has_filename() ? path : path.parent_path();
}

bool is_earlier_result(const fs::path& directory) {
  return fs::is_directory(directory) &&
         (fs::is_empty(directory) || fs::is_regular_file(directory / "summary.json"));
}

}  // namespace

void check_replaceable(const std::string& directory, bool replace) {
  if (directory.empty()) throw InputError({}, "output directory", "is empty");
  try {
    const fs::path path = resolved(directory);
    if (!fs::exists(path)) return;
    if (!is_earlier_result(path))
      throw InputError({directory}, "", "exists and is not an earlier result; it is left alone");
    if (!replace)
      throw InputError({directory}, "", "exists already; use --replace to replace its results");
  } catch (const fs::filesystem_error& error) {
    throw cannot_be_written(directory, error.code());
  }
}

StagedDirectory::StagedDirectory(const std::string& directory, const std::string& tag)
    : named_(directory) {
  try {
    final_ = resolved(directory);
    partial_ = final_.string() + ".partial-" + tag;
    aside_ = final_.string() + ".replaced-" + tag;
    create_parents();
    fs::remove_all(partial_);
    fs::create_directory(partial_);
  } catch (const fs::filesystem_error& error) {
    remove_traces();  // a destructor does not follow a constructor that throws
    throw cannot_be_written(named_, error.code());
  }
}

void StagedDirectory::create_parents() {
  std::vector<fs::path> missing;
  for (fs::path parent = final_.parent_path(); !fs::exists(parent); parent = parent.parent_path())
    missing.insert(missing.begin(), parent);
  for (const fs::path& parent : missing)
    if (fs::create_directory(parent)) created_parents_.push_back(parent);
}

StagedDirectory::~StagedDirectory() {
  if (!committed_) remove_traces();
}

// Errors are ignored: nothing more can be done. Only parents that are empty go.
void StagedDirectory::remove_traces() {
  std::error_code ignored;
  fs::remove_all(partial_, ignored);
  std::for_each(created_parents_.rbegin(), created_parents_.rend(),
                [&](const fs::path& parent) { fs::remove(parent, ignored); });
}

void StagedDirectory::write(const std::string& name, const FileContent& content) {
  write_file((partial_ / name).string(), (fs::path(named_) / name).string(), content);
}

void StagedDirectory::commit() {
  std::error_code error, ignored;
  const bool replacing = fs::exists(final_, error);
  if (replacing) fs::remove_all(aside_, ignored);
  if (replacing) fs::rename(final_, aside_, error);
  if (error) throw cannot_be_written(named_, error);
  fs::rename(partial_, final_, error);
  if (error && replacing) fs::rename(aside_, final_, ignored);
  if (error) throw cannot_be_written(named_, error);
  committed_ = true;
  if (replacing) fs::remove_all(aside_, ignored);
}

}  // namespace trainyard

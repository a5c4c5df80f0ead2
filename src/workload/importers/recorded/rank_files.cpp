#include "workload/importers/recorded/rank_files.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>

namespace trainyard {

namespace {

namespace fs = std::filesystem;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// A file's name with the number of its rank cut out.
struct RankName {
  std::string rest;
  std::optional<int> rank;
};

RankName rank_name(const std::string& file) {
  const std::string name = fs::path(file).filename().string();
  std::size_t end = name.size();
  for (const std::string suffix : {".gz", ".et", ".json", ".trace", ".pt"})
    if (end > suffix.size() && name.compare(end - suffix.size(), suffix.size(), suffix) == 0)
      end -= suffix.size();
  std::size_t begin = end;
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  const std::optional<std::int64_t> number = parse_integer(name.substr(begin, end - begin));
  constexpr std::int64_t kMostRanks = 1 << 20;
  if (begin == end || !number || *number >= kMostRanks) return {name, std::nullopt};
  return {name.substr(0, begin) + name.substr(end), static_cast<int>(*number)};
}

std::vector<std::string> files_in(const fs::path& folder, const std::string& beginning) {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool ours =
        name.size() > beginning.size() && name.compare(0, beginning.size(), beginning) == 0 &&
        (beginning.empty() ? name[0] != '.'
                           : !std::isalnum(static_cast<unsigned char>(name[beginning.size()])));
    const bool numbered = beginning.empty() || rank_name(name).rank.has_value();
    if (ours && numbered && entry.is_regular_file()) files.push_back(entry.path().string());
  }
  return files;
}

}  // namespace

std::vector<std::string> named_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code ignored;
    std::vector<std::string> found{path};
    if (fs::is_directory(path, ignored)) {
      found = files_in(path, "");
      if (found.empty()) throw InputError({path}, "", "a folder without files");
    } else if (!fs::exists(path, ignored)) {
      const fs::path parent = fs::path(path).parent_path();
      found = files_in(parent.empty() ? fs::path(".") : parent, fs::path(path).filename().string());
      if (found.empty())
        throw InputError({path}, "", "no such file, nor files whose names begin like this");
    }
    std::sort(found.begin(), found.end(),
              [](const std::string& a, const std::string& b) { return natural_less(a, b); });
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

std::vector<RankFile> rank_files(const std::vector<std::string>& paths) {
  std::vector<RankFile> result;
  const std::vector<std::string> files = named_files(paths);
  for (const std::string& file : files) {
    const RankName name = rank_name(file);
    if (files.size() > 1 && !name.rank)
      throw InputError({file}, "", "its name holds no rank; one file a rank, as in trace.0.et");
    if (!result.empty() && rank_name(result.front().file).rest != name.rest)
      throw InputError({file}, "",
                       "not of the same trace as " +
                           fs::path(result.front().file).filename().string() +
                           "; give the files of one trace, or what their names begin with");
    result.push_back({name.rank.value_or(0), file});
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const RankFile& a, const RankFile& b) { return a.rank < b.rank; });
  for (std::size_t i = 1; i < result.size(); ++i)
    if (result[i].rank == result[i - 1].rank)
      throw InputError({result[i].file}, "",
                       "a second file of rank " + std::to_string(result[i].rank));
  return result;
}

}  // namespace trainyard

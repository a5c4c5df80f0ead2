#include "workload/importers/chakra/read.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "workload/importers/chakra/groups.hpp"
#include "workload/importers/chakra/json_form.hpp"
#include "workload/importers/chrome/inflating_buffer.hpp"
#include "workload/importers/recorded/assemble.hpp"
#include "workload/importers/recorded/eager.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace trainyard {

namespace {

std::string content_of(const std::string& file) {
  InflatingBuffer buffer(file);
  std::string content;
  constexpr std::size_t kBlock = 1 << 20;
  for (;;) {
    const std::size_t size = content.size();
    content.resize(size + kBlock);
    const auto count = buffer.sgetn(content.data() + size, kBlock);
    content.resize(size + static_cast<std::size_t>(count));
    if (count == 0) return content;
  }
}

WireBytes next_message(WireReader& reader, const std::string& file) {
  const std::uint64_t length = reader.varint();
  const std::int64_t start = reader.offset();
  return {reader.take(length), &file, start};
}

ChakraFile read_et(const std::string& file) {
  const std::string content = content_of(file);
  if (content.empty()) throw InputError({file}, "", "is empty");
  ChakraFile result;
  WireReader reader({content, &file, 0});
  const WireBytes first = next_message(reader, file);
  if (is_chakra_metadata(first))
    result.version = chakra_version(first);
  else
    result.nodes.push_back(read_chakra_node(first));
  while (!reader.at_end()) result.nodes.push_back(read_chakra_node(next_message(reader, file)));
  return result;
}

RecordedStep read_files(const RecordedOptions& options,
                        const std::function<ChakraFile(const std::string&)>& read) {
  RecordedStep step;
  step.format = "chakra";
  step.unit = "node";
  ChakraGroups groups;
  if (!options.groups.empty()) groups = read_chakra_groups(options.groups);
  const std::vector<RankFile> files = rank_files(options.files);
  std::vector<ChakraFile> contents;
  std::set<std::string> versions;
  int ranks = std::max(options.ranks, files.back().rank + 1);
  for (const RankFile& file : files) {
    contents.push_back(read(file.file));
    versions.insert(contents.back().version);
    for (const ChakraNode& node : contents.back().nodes)
      if (!node.input_values.empty()) add_listed_groups(node.input_values, groups);
  }
  ranks = std::max(ranks, highest_rank(groups) + 1);
  step.ranks.resize(static_cast<std::size_t>(ranks));
  for (const RankFile& file : files)
    step.ranks[static_cast<std::size_t>(file.rank)].file = file.file;
  ChakraConverter converter(step, groups, options.kernels);
  for (std::size_t i = 0; i < files.size(); ++i) {
    converter.convert(files[i].rank, contents[i].nodes);
    contents[i] = {};
  }
  versions.erase("");
  if (!versions.empty())
    step.notes.push_back("version " + join({versions.begin(), versions.end()}));
  converter.add_notes();
  join_tags(step);
  send_eagerly(step, Bytes(std::numeric_limits<std::int64_t>::max()));
  return step;
}

}  // namespace

RecordedStep read_chakra(const RecordedOptions& options) { return read_files(options, read_et); }

RecordedStep read_chakra_json(const RecordedOptions& options) {
  return read_files(options, read_chakra_json_file);
}

bool is_chakra_et(const std::string& file) {
  InflatingBuffer buffer(file);
  std::string head(1 << 12, '\0');
  head.resize(static_cast<std::size_t>(buffer.sgetn(head.data(), 1 << 12)));
  return std::any_of(head.begin(), head.end(), [](unsigned char c) {
    return c < ' ' && c != '\n' && c != '\r' && c != '\t';
  });
}

}  // namespace trainyard

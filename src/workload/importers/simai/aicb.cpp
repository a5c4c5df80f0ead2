#include "workload/importers/simai/aicb.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "workload/importers/line_reader.hpp"
#include "workload/importers/simai/layout.hpp"

#include <algorithm>
#include <map>

namespace trainyard {

namespace {

struct NamedKind {
  const char* name;
  CollectiveKind kind;
};
const NamedKind kKinds[] = {{"all_reduce", CollectiveKind::AllReduce},
                            {"all_gather", CollectiveKind::AllGather},
                            {"reduce_scatter", CollectiveKind::ReduceScatter},
                            {"all_to_all", CollectiveKind::AllToAll},
                            {"broadcast", CollectiveKind::Broadcast},
                            {"reduce", CollectiveKind::Reduce},
                            {"gather", CollectiveKind::Gather},
                            {"scatter", CollectiveKind::Scatter},
                            {"barrier", CollectiveKind::Barrier}};

struct NamedSlot {
  const char* name;
  int slot;
};
constexpr int kWorld = LaidOutSlots;  // a slot beside those of the layout
const NamedSlot kGroups[] = {{"tp_group", TensorSlot},
                             {"dp_group", DataSlot},
                             {"ep_group", ExpertSlot},
                             {"ep_dp_group", DataInExpertSlot},
                             {"all", kWorld}};

class Reader {
public:
  explicit Reader(const std::string& file) : lines_(file) {}

  std::vector<RecordedOperation> operations;
  std::map<int, int> group_sizes;  // by slot, where rows say it
  int ranks = 0;                   // of a line "[rank0 ~ rank127]"; 0 if there is none
  std::int64_t marks = 0;          // epoch_end

  void read() {
    while (const auto line = lines_.next()) {
      const std::string_view text = trim(*line);
      if (text.empty()) continue;
      if (text.front() == '[')
        read_ranks(std::string(text));
      else if (columns_.empty())
        columns_ = split(text, ',');
      else
        read_row(split(text, ','));
    }
    if (columns_.empty()) fail("no line of column names");
    if (operations.empty()) fail("no communication");
  }

private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(lines_.place(), "", problem);
  }

  void read_ranks(const std::string& text) {
    int first = -1, last = -1;
    if (std::sscanf(text.c_str(), "[rank%d ~ rank%d]", &first, &last) != 2 || first != 0 ||
        last < 0 || last >= (1 << 20))
      fail("expected '[rank0 ~ rank<last>]', got '" + printable(text) + "'");
    ranks = last + 1;
  }

  std::string column(const std::vector<std::string>& row, const std::string& name) const {
    const auto found = std::find(columns_.begin(), columns_.end(), name);
    if (found == columns_.end()) fail("there is no column " + name);
    return row[static_cast<std::size_t>(found - columns_.begin())];
  }

  std::string enumerator(const std::vector<std::string>& row, const std::string& name,
                         const std::string& prefix) const {
    const std::string value = column(row, name);
    return value.compare(0, prefix.size(), prefix) == 0 ? value.substr(prefix.size()) : value;
  }

  void read_row(const std::vector<std::string>& row) {
    if (row.size() != columns_.size())
      fail(std::to_string(columns_.size()) + " columns are named, this row has " +
           std::to_string(row.size()));
    const std::string kind = enumerator(row, "comm_type", "CommType.");
    if (kind == "epoch_end") {
      ++marks;
      return;
    }
    RecordedOperation recorded;
    recorded.place = lines_.place().line;
    Operation& o = recorded.operation;
    o.kind = Operation::Kind::Communicate;
    o.name = column(row, "stage");
    o.collective = look_up(kKinds, kind, "collective", &NamedKind::kind);
    const int slot =
        look_up(kGroups, enumerator(row, "comm_group", "CommGroup."), "group", &NamedSlot::slot);
    o.group = Group{slot};
    o.stream = slot;
    const auto size = parse_integer(column(row, "msg_size"));
    if (!size || *size < 0 || *size > (std::int64_t{1} << 50))
      fail("msg_size must be a number of bytes, got '" + printable(column(row, "msg_size")) + "'");
    o.size = Bytes(*size);
    if (!operations.empty()) o.after = {static_cast<int>(operations.size()) - 1};
    note_size(slot, column(row, "comm_group_size"));
    operations.push_back(std::move(recorded));
  }

  void note_size(int slot, const std::string& text) {
    if (text == "None" || text.empty()) return;
    const auto size = parse_integer(text);
    if (!size || *size < 1 || *size > (1 << 20))
      fail("comm_group_size must be a number of ranks, got '" + printable(text) + "'");
    const auto [known, fresh] = group_sizes.insert({slot, static_cast<int>(*size)});
    if (!fresh && known->second != *size)
      fail("a group of " + text + ", earlier one of " + std::to_string(known->second));
  }

  template <typename Row, std::size_t n, typename Value>
  Value look_up(const Row (&table)[n], const std::string& name, const std::string& what,
                Value Row::*value) const {
    std::vector<std::string> known;
    for (const Row& row : table) {
      if (name == row.name) return row.*value;
      known.emplace_back(row.name);
    }
    fail("unknown " + what + " '" + printable(name) + "'" + suggestion(name, known));
  }

  LineReader lines_;
  std::vector<std::string> columns_;
};

int size_of(const Reader& reader, int slot) {
  const auto found = reader.group_sizes.find(slot);
  return found == reader.group_sizes.end() ? 1 : found->second;
}

}  // namespace

RecordedStep read_aicb(const RecordedOptions& options) {
  const std::vector<std::string> files = named_files(options.files);
  const std::string& file = files.front();
  if (files.size() > 1)
    throw InputError({files[1]}, "", "a second file; an AICB table is one file for all ranks");
  Reader reader(file);
  reader.read();
  RecordedStep step;
  step.format = "aicb";
  step.unit = "line";
  ParallelSizes sizes;
  sizes.tensor = size_of(reader, TensorSlot);
  sizes.expert = size_of(reader, ExpertSlot);
  sizes.ranks = std::max({options.ranks, reader.ranks, size_of(reader, kWorld),
                          sizes.tensor * size_of(reader, DataSlot)});
  sizes.pipeline = std::max(1, sizes.ranks / (sizes.tensor * size_of(reader, DataSlot)));
  const std::string problem = unfit(sizes);
  if (!problem.empty()) throw InputError({file}, "", problem);
  JobProgram job = laid_out(sizes);
  job.slots.push_back({"all", Dimension::Other});
  ProcessGroup world{kWorld, {}};
  for (int rank = 0; rank < sizes.ranks; ++rank) {
    world.ranks.push_back(rank);
    job.ranks[static_cast<std::size_t>(rank)].groups.push_back(static_cast<int>(job.groups.size()));
  }
  job.groups.push_back(std::move(world));
  step.notes.push_back("tensor " + std::to_string(sizes.tensor) + ", data " +
                       std::to_string(sizes.data()) + ", pipeline " +
                       std::to_string(sizes.pipeline) + ", " + std::to_string(sizes.ranks) +
                       " ranks; no computing times");
  if (reader.marks > 0)
    step.notes.push_back(counted(reader.marks, "epoch end") + ": all epochs follow each other");
  write_for_all(step, std::move(job), file, std::move(reader.operations));
  return step;
}

}  // namespace trainyard

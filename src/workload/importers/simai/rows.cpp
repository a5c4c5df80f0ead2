#include "workload/importers/simai/rows.hpp"

#include "base/text.hpp"
#include "workload/importers/line_reader.hpp"

#include <algorithm>
#include <limits>

namespace trainyard {

namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view line) {
  Words words;
  std::size_t at = 0;
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (at < line.size()) {
    while (at < line.size() && is_space(line[at])) ++at;
    const std::size_t begin = at;
    while (at < line.size() && !is_space(line[at])) ++at;
    if (at > begin) words.emplace_back(line.substr(begin, at - begin));
  }
  return words;
}

struct NamedKind {
  const char* name;
  CollectiveKind kind;
};
const NamedKind kKinds[] = {{"ALLREDUCE", CollectiveKind::AllReduce},
                            {"ALLGATHER", CollectiveKind::AllGather},
                            {"REDUCESCATTER", CollectiveKind::ReduceScatter},
                            {"ALLTOALL", CollectiveKind::AllToAll},
                            {"BROADCAST", CollectiveKind::Broadcast}};

class Reader {
public:
  explicit Reader(const std::string& file) : lines_(file), file_(file) {}

  SimaiWorkload read() {
    read_header(words_of(line("the header")));
    const Words count = words_of(line("the number of rows"));
    const std::int64_t rows = integer(count.empty() ? "" : count[0], "the number of rows");
    const Place announced = lines_.place();
    while (const auto text = lines_.next())
      if (!trim(*text).empty()) read_row(words_of(*text));
    if (static_cast<std::int64_t>(workload_.rows.size()) != rows)
      throw InputError(announced, "",
                       "announces " + counted(rows, "row") + ", " +
                           std::to_string(workload_.rows.size()) +
                           " follow: the file is cut short "
                           "or damaged");
    return std::move(workload_);
  }

private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(lines_.place(), "", problem);
  }

  std::string line(const std::string& what) {
    const auto text = lines_.next();
    if (!text) throw InputError({file_}, "", "ends before " + what);
    return std::string(*text);
  }

  std::int64_t integer(const std::string& text, const std::string& what) const {
    const auto value = parse_integer(text);
    if (!value || *value < 0) fail(what + " must be a whole number, got '" + printable(text) + "'");
    return *value;
  }

  int count(const std::string& text, const std::string& what) const {
    const std::int64_t value = integer(text, what);
    if (value < 1 || value > (1 << 20))
      fail(what + " must be at least 1, got '" + printable(text) + "'");
    return static_cast<int>(value);
  }

  void read_header(Words words) {
    if (words.empty() || (words[0] != "HYBRID_TRANSFORMER_FWD_IN_BCKWD" && words[0] != "MICRO"))
      fail("must begin with HYBRID_TRANSFORMER_FWD_IN_BCKWD or MICRO");
    workload_.sizes.ranks = 0;
    for (std::size_t i = 1; i < words.size(); i += 2) {
      std::string key = words[i];
      if (key.back() == ':') key.pop_back();
      if (i + 1 == words.size()) fail("'" + printable(key) + "' has no value");
      header_field(key, words[i + 1]);
    }
  }

  void header_field(const std::string& key, const std::string& value) {
    static const Words known = {
        "model_parallel_NPU_group", "ep",     "pp", "vpp", "ga", "all_gpus", "checkpoints",
        "checkpoint_initiates",     "pp_comm"};
    if (key == "model_parallel_NPU_group")
      workload_.sizes.tensor = count(value, key);
    else if (key == "ep")
      workload_.sizes.expert = count(value, key);
    else if (key == "pp")
      workload_.sizes.pipeline = count(value, key);
    else if (key == "vpp")
      workload_.interleaving = count(value, key);
    else if (key == "ga")
      workload_.accumulation = count(value, key);
    else if (key == "all_gpus")
      workload_.sizes.ranks = count(value, key);
    else if (key == "checkpoints")
      workload_.checkpoints =
          static_cast<int>(std::min<std::int64_t>(integer(value, key), 1 << 20));
    else if (key == "pp_comm")
      workload_.pipeline_bytes = Bytes(integer(value, key));
    else if (key != "checkpoint_initiates")
      fail("unknown key '" + printable(key) + "'" + suggestion(key, known));
  }

  void read_row(const Words& words) {
    constexpr std::size_t kColumns = 12;
    if (words.size() != kColumns)
      fail("a row has 12 columns, this one " + std::to_string(words.size()));
    if (words[1] != "-1")
      fail("depends on '" + printable(words[1]) + "'; only -1, the row before, is understood");
    SimaiRow row;
    row.name = words[0];
    row.line = lines_.place().line;
    row.forward = part(words, 2, TensorSlot);
    row.input_gradient = part(words, 5, TensorSlot);
    row.weight_gradient = part(words, 8, DataSlot);
    row.update = time(words[11]);
    workload_.rows.push_back(std::move(row));
  }

  Seconds time(const std::string& text) const {
    return nanoseconds(static_cast<double>(integer(text, "a time in nanoseconds")));
  }

  SimaiPart part(const Words& words, std::size_t at, int default_slot) const {
    SimaiPart part;
    part.compute = time(words[at]);
    part.slot = default_slot;
    const std::int64_t size = integer(words[at + 2], "a size in bytes");
    if (size > (std::int64_t{1} << 50)) fail("a collective of " + words[at + 2] + " bytes");
    part.size = Bytes(size);
    std::string name = words[at + 1];
    if (name == "NONE") return part;
    const auto cut = [&name](const std::string& suffix) {
      const bool has = name.size() > suffix.size() &&
                       name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
      if (has) name.resize(name.size() - suffix.size());
      return has;
    };
    if (cut("_DP_EP"))
      part.slot = DataInExpertSlot;
    else if (cut("_EP"))
      part.slot = ExpertSlot;
    std::vector<std::string> known;
    for (const NamedKind& kind : kKinds) {
      if (name == kind.name) part.collective = kind.kind;
      known.emplace_back(kind.name);
    }
    if (!part.collective)
      fail("unknown collective '" + printable(words[at + 1]) + "'" + suggestion(name, known));
    return part;
  }

  LineReader lines_;
  std::string file_;
  SimaiWorkload workload_;
};

}  // namespace

SimaiWorkload read_simai_rows(const std::string& file) { return Reader(file).read(); }

}  // namespace trainyard

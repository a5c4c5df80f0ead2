#include "workload/importers/goal/schedule.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "workload/importers/goal/words.hpp"
#include "workload/importers/line_reader.hpp"
#include "workload/importers/recorded/assemble.hpp"
#include "workload/importers/recorded/eager.hpp"
#include "workload/importers/recorded/order.hpp"

#include <algorithm>

namespace trainyard {

namespace {

constexpr Bytes kLargestEager(65535);  // LogGOPSim's S by default
constexpr std::int64_t kMostRanks = 1 << 20;

struct Statement {
  RecordedOperation recorded;
  std::pair<int, std::int64_t> stream;  // (cpu or group, its number)
  std::vector<int> starts_with;         // irequires
};

class Reader {
public:
  Reader(const std::string& file, RecordedStep& step)
      : lines_(file), file_(file), step_(step), groups_(step) {}

  void read() {
    while (const auto line = lines_.next()) {
      words_ = splitter_.words_of(*line);
      if (!words_.empty()) read_line();
    }
    if (step_.ranks.empty()) throw InputError({file_}, "", "has no line num_ranks");
    if (inside_) throw InputError({file_}, "", "ends inside rank " + std::to_string(rank_));
  }

private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(lines_.place(), "", problem);
  }

  void read_line() {
    at_ = 0;
    if (words_[0] == "num_ranks") {
      if (!step_.ranks.empty()) fail("a second num_ranks");
      at_ = 1;
      step_.ranks.resize(static_cast<std::size_t>(number("a number of ranks", 1, kMostRanks)));
    } else if (words_[0] == "rank") {
      begin_rank();
    } else if (words_[0] == "}") {
      if (!inside_) fail("no rank is open");
      at_ = 1;
      end_rank();
    } else if (!inside_) {
      fail("expected 'rank', got '" + printable(words_[0]) + "'");
    } else if (words_.size() == 3 && (words_[1] == "requires" || words_[1] == "irequires")) {
      require();
      at_ = 3;
    } else {
      read_statement();
    }
    if (at_ < words_.size()) fail("'" + printable(words_[at_]) + "' is too much");
  }

  std::string word(const std::string& expected) {
    if (at_ == words_.size()) fail("expected " + expected + " at the end of the line");
    return words_[at_++];
  }

  void keyword(const std::string& expected) {
    const std::string found = word("'" + expected + "'");
    if (found != expected) fail("expected '" + expected + "', got '" + printable(found) + "'");
  }

  bool optional_keyword(const std::string& expected) {
    if (at_ == words_.size() || words_[at_] != expected) return false;
    ++at_;
    return true;
  }

  std::int64_t number(const std::string& what, std::int64_t least, std::int64_t most) {
    const std::string text = word(what);
    const auto value = parse_integer(text);
    if (!value || *value < least || *value > most)
      fail("expected " + what + ", got '" + printable(text) + "'");
    return *value;
  }

  void begin_rank() {
    if (inside_) fail("rank " + std::to_string(rank_) + " is not closed");
    if (step_.ranks.empty()) fail("num_ranks must come first");
    at_ = 1;
    rank_ = static_cast<int>(
        number("a rank below num_ranks", 0, static_cast<std::int64_t>(step_.ranks.size()) - 1));
    keyword("{");
    if (!step_.ranks[static_cast<std::size_t>(rank_)].file.empty())
      fail("rank " + std::to_string(rank_) + " for the second time");
    step_.ranks[static_cast<std::size_t>(rank_)].file = file_;
    inside_ = true;
  }

  void read_statement() {
    Statement statement;
    Operation& o = statement.recorded.operation;
    statement.recorded.place = lines_.place().line;
    if (words_.size() > 1 && words_[1] == ":") {
      o.name = words_[0];
      at_ = 2;
      if (!labels_.insert({o.name, static_cast<int>(statements_.size())}).second)
        fail("label '" + printable(o.name) + "' for the second time");
    }
    const std::string what = word("send, recv or calc");
    if (what == "calc")
      calculate(statement);
    else if (what == "send" || what == "recv")
      transfer(statement, what == "send");
    else
      fail("expected send, recv or calc, got '" + printable(what) + "'" +
           suggestion(what, {"send", "recv", "calc"}));
    if (o.name.empty()) o.name = what + " of line " + std::to_string(statement.recorded.place);
    statements_.push_back(std::move(statement));
  }

  std::int64_t cpu() { return optional_keyword("cpu") ? number("a cpu", 0, 1 << 20) : 0; }

  void calculate(Statement& statement) {
    constexpr std::int64_t kMost = std::int64_t{1} << 53;
    statement.recorded.operation.duration =
        nanoseconds(static_cast<double>(number("a time in nanoseconds", 0, kMost)));
    statement.stream = {0, cpu()};
  }

  void transfer(Statement& statement, bool sends) {
    Operation& o = statement.recorded.operation;
    o.kind = Operation::Kind::Communicate;
    o.collective = CollectiveKind::SendRecv;
    std::string size = word("a size, as in 1024b");
    const bool has_unit = !size.empty() && size.back() == 'b';
    if (has_unit) size.pop_back();
    const auto bytes = parse_integer(size);
    if (!has_unit || !bytes || *bytes < 0 || *bytes > (std::int64_t{1} << 50))
      fail("expected a size, as in 1024b, got '" + printable(words_[at_ - 1]) + "'");
    o.size = Bytes(*bytes);
    keyword(sends ? "to" : "from");
    if (at_ < words_.size() && words_[at_] == "-1") fail("a wildcard source is not understood");
    const int other = static_cast<int>(
        number("a rank below num_ranks", 0, static_cast<std::int64_t>(step_.ranks.size()) - 1));
    if (other == rank_) fail("a transfer of rank " + std::to_string(rank_) + " to itself");
    std::int64_t tag = 0;
    if (optional_keyword("tag")) {
      if (at_ < words_.size() && words_[at_] == "-1") fail("a wildcard tag is not understood");
      tag = number("a tag", 0, std::int64_t{1} << 62);
    }
    cpu();
    if (optional_keyword("nic")) number("a nic", 0, 1 << 20);
    o.group =
        Group{sends ? groups_.transfer(rank_, other, tag) : groups_.transfer(other, rank_, tag)};
    statement.stream = {1, static_cast<std::int64_t>(o.group)};
  }

  int labelled(const std::string& label) const {
    const auto found = labels_.find(label);
    if (found != labels_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [name, index] : labels_) known.push_back(name);
    if (known.size() > 20) known.clear();
    fail("no label '" + printable(label) + "' in rank " + std::to_string(rank_) + " so far" +
         suggestion(label, known));
  }

  void require() {
    Statement& statement = statements_[static_cast<std::size_t>(labelled(words_[0]))];
    const int before = labelled(words_[2]);
    (words_[1] == "requires" ? statement.recorded.operation.after : statement.starts_with)
        .push_back(before);
  }

  // What starts with b waits for what b waits for, and so on; then into an order.
  void end_rank() {
    std::vector<std::vector<int>> started(statements_.size()), after(statements_.size());
    for (std::size_t i = 0; i < statements_.size(); ++i) started[i] = statements_[i].starts_with;
    for (const int i : topological_order(started)) {
      std::vector<int>& waits = after[static_cast<std::size_t>(i)];
      waits = statements_[static_cast<std::size_t>(i)].recorded.operation.after;
      for (const int with : started[static_cast<std::size_t>(i)])
        waits.insert(waits.end(), after[static_cast<std::size_t>(with)].begin(),
                     after[static_cast<std::size_t>(with)].end());
      std::sort(waits.begin(), waits.end());
      waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    }
    const std::vector<int> order = topological_order(after);
    std::vector<int> position(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
      position[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
    std::map<std::pair<int, std::int64_t>, int> streams;
    std::vector<RecordedOperation>& operations =
        step_.ranks[static_cast<std::size_t>(rank_)].operations;
    for (const int i : order) {
      Statement& statement = statements_[static_cast<std::size_t>(i)];
      Operation& o = statement.recorded.operation;
      o.after = after[static_cast<std::size_t>(i)];
      for (int& before : o.after) before = position[static_cast<std::size_t>(before)];
      o.stream = streams.insert({statement.stream, static_cast<int>(streams.size())}).first->second;
      operations.push_back(std::move(statement.recorded));
    }
    statements_.clear();
    labels_.clear();
    inside_ = false;
  }

  LineReader lines_;
  GoalWords splitter_;
  std::string file_;
  RecordedStep& step_;
  RecordedGroups groups_;
  std::vector<std::string> words_;  // of the line
  std::size_t at_ = 0;              // the next of them
  bool inside_ = false;
  int rank_ = 0;
  std::vector<Statement> statements_;  // of the rank
  std::map<std::string, int> labels_;
};

}  // namespace

RecordedStep read_goal(const RecordedOptions& options) {
  const std::vector<std::string> files = named_files(options.files);
  if (files.size() > 1)
    throw InputError({files[1]}, "", "a second file; a GOAL schedule is one file for all ranks");
  RecordedStep step;
  step.format = "goal";
  step.unit = "line";
  Reader(files.front(), step).read();
  join_tags(step);
  send_eagerly(step, kLargestEager);
  return step;
}

}  // namespace trainyard

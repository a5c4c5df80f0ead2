// From lines to sweeps.
#include "base/error.hpp"
#include "base/text.hpp"
#include "workload/importers/line_reader.hpp"
#include "workload/importers/nccl/foreign.hpp"
#include "workload/importers/nccl/row.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace trainyard {

namespace {

// "#  Rank  0 Group  0 Pid 123 on host7 device  0 [0000:19:00] NVIDIA H100 80GB HBM3"
struct Devices {
  int ranks = 0;
  std::set<std::string> hosts;
  std::string gpu;

  void take(const std::vector<std::string_view>& found, std::string_view line) {
    if (found.size() < 6) return;
    const auto rank = parse_integer(found[1]);
    if (!rank || *rank < 0 || *rank > 1'000'000) return;
    ranks = std::max(ranks, static_cast<int>(*rank) + 1);
    const auto on = std::find(found.begin(), found.end(), "on");
    if (on != found.end() && on + 1 != found.end()) hosts.emplace(*(on + 1));
    const std::size_t bracket = line.rfind(']');
    if (bracket != std::string_view::npos) gpu = std::string(trim(line.substr(bracket + 1)));
  }
};

class Reader {
public:
  explicit Reader(const std::string& file) : file_(file), reader_(file) {}

  NcclLog read() {
    while (const auto line = reader_.next()) take(*line);
    end_table();
    end_sweep();
    add_bench();
    if (log_.sweeps.empty())
      throw InputError({file_}, "",
                       "holds no row of nccl-tests' output" +
                           (log_.warnings.empty() ? "" : "; first problem: " + log_.warnings[0]));
    return std::move(log_);
  }

private:
  void take(std::string_view line) {
    const std::string_view text = without_prefix(line);
    if (!text.empty() && text[0] == '|') {
      if (table_.take(text, reader_.place().line)) end_sweep();
      return;
    }
    if (!text.empty()) end_table();
    if (text.rfind("file,block_line,", 0) == 0) return read_rows_as_csv();
    if (!text.empty() && text[0] == '#') return take_comment(trim(text.substr(1)));
    if (!text.empty() && text[0] >= '0' && text[0] <= '9' && take_row(text)) return;
    note_surroundings(text);
  }

  void take_comment(std::string_view text) {
    const std::vector<std::string_view> found = words(text);
    const auto holds = [&](std::string_view word) {
      return std::find(found.begin(), found.end(), word) != found.end();
    };
    if (holds("size") && holds("count")) {
      end_sweep();
      in_table_ = true;
      has_root_ = holds("root");
    } else if (text.rfind("Out of bounds", 0) == 0 || text.rfind("Avg bus", 0) == 0) {
      end_sweep();
      in_table_ = false;
      has_root_.reset();
    } else if (text.rfind("Using devices", 0) == 0) {
      devices_ = {};
    } else if (!found.empty() && found[0] == "Rank") {
      devices_.take(found, text);
    } else {
      note_surroundings(text);
    }
  }

  // False if the line is none of a table's.
  bool take_row(std::string_view text) {
    const std::vector<std::string_view> found = words(text);
    const bool is_long = found.size() >= 7;
    if (!(in_table_ || is_long) ||
        !(parse_integer(found[0]) || (is_long && parse_integer(found[1]))))
      return false;
    std::string problem;
    auto printed = parse_nccl_row(found, has_root_, problem);
    if (!in_table_ && (!printed || printed->type_size == 0)) return false;
    if (printed) problem = contradiction_in(printed->row);
    if (!problem.empty()) {
      warn(problem);
      return true;
    }
    if (!rows_.empty() && printed->row.size < rows_.back().row.size) end_sweep();
    printed->line = reader_.place().line;
    rows_.push_back(*printed);
    return true;
  }

  void note_surroundings(std::string_view text) {
    bench_.take(text, reader_.place().line);
    const std::size_t info = text.find(" NCCL INFO ");
    if (info != std::string_view::npos) {
      info_hosts_.emplace(text.substr(0, text.find(':')));
      return;
    }
    for (const std::string_view word : words(text)) {
      const bool names_program = word.find("_perf") != std::string_view::npos;
      const NcclOperation* operation =
          names_program ? nccl_operation_in(word) : find_nccl_operation(word);
      if (operation) mentioned_ = operation;
    }
    const NcclOperation* topic = nccl_operation_in(text);
    if (topic && text.find("NCCL") != std::string_view::npos) topic_ = topic;
    in_place_ = text.find("in-place") != std::string_view::npos || (in_place_ && text.empty());
  }

  // A CSV of rows cut from logs: file,block_line,op_guess,nranks,size,count,type,redop,then times.
  void read_rows_as_csv() {
    std::string block;
    while (const auto line = reader_.next()) {
      const std::vector<std::string> cells = split(*line, ',');
      if (cells.size() != 14) {
        warn("a row of " + std::to_string(cells.size()) + " columns, not 14");
        continue;
      }
      if (cells[0] + ":" + cells[1] != block) end_sweep();
      block = cells[0] + ":" + cells[1];
      csv_source_ = cells[0];
      mentioned_ = nccl_operation_in(cells[2]);
      std::vector<std::string_view> row = {cells[4], cells[5], cells[6]};
      if (!trim(cells[7]).empty()) row.emplace_back(cells[7]);
      row.insert(row.end(),
                 {cells[8], cells[9], cells[10], "0", cells[11], cells[12], cells[13], "0"});
      std::string problem;
      const auto printed = parse_nccl_row(row, false, problem);
      if (printed) problem = contradiction_in(printed->row);
      if (!problem.empty()) {
        warn(problem);
        continue;
      }
      rows_.push_back(*printed);
      rows_.back().line = reader_.place().line;
    }
    end_sweep();
  }

  void end_sweep() {
    if (rows_.empty()) return;
    const std::string named = csv_source_.empty() ? file_ : csv_source_;
    const NcclOperation* from_name =
        nccl_operation_in(std::filesystem::path(named).filename().string());
    const auto hints = csv_source_.empty()
                           ? std::vector<const NcclOperation*>{mentioned_, from_name, topic_}
                           : std::vector<const NcclOperation*>{from_name, mentioned_};
    Deduction deduced = deduce(rows_, devices_.ranks, hints);
    if (!deduced.operation && devices_.ranks > 0) {
      warn("busbw contradicts the " + std::to_string(devices_.ranks) +
           " ranks of the device list, which is not believed");
      devices_ = {};
      deduced = deduce(rows_, 0, hints);
    }
    if (deduced.operation)
      add(deduced.operation, deduced.ranks);
    else
      warn("the table that ends here is of no operation: busbw, algbw and count do not fit any");
    rows_.clear();
    devices_ = {};
  }

  void end_table() {
    table_.end();
    if (table_.rows().empty()) return;
    rows_ = std::move(table_.rows());
    table_.rows().clear();
    const NcclOperation* operation = topic_ ? topic_ : find_nccl_operation("all_reduce");
    for (PrintedRow& printed : rows_) printed.reduces = operation->reduces;
    const Deduction deduced = deduce(rows_, 0, {operation});
    add(operation, deduced.ranks);
    log_.sweeps.back().in_place_only = in_place_;
    rows_.clear();
    in_place_ = false;
  }

  void add(const NcclOperation* operation, int ranks) {
    NcclSweep sweep;
    sweep.file = csv_source_.empty() ? file_ : csv_source_;
    sweep.line = rows_.front().line;
    sweep.operation = operation;
    sweep.ranks = ranks;
    const std::set<std::string>& hosts = devices_.hosts.empty() ? info_hosts_ : devices_.hosts;
    sweep.nodes = static_cast<int>(hosts.size());
    sweep.gpu = devices_.gpu;
    for (const PrintedRow& printed : rows_) sweep.rows.push_back(printed.row);
    log_.sweeps.push_back(std::move(sweep));
  }

  void add_bench() {
    const auto row = bench_.row();
    if (!row) return;
    rows_ = {*row};
    add(find_nccl_operation("all_reduce"), bench_.ranks());
  }

  void warn(const std::string& problem) {
    log_.warnings.push_back(to_string(reader_.place()) + ": " + problem + "; skipped");
  }

  std::string file_, csv_source_;
  LineReader reader_;
  NcclLog log_;
  Devices devices_;
  std::set<std::string> info_hosts_;
  const NcclOperation* mentioned_ = nullptr;  // the last "..._perf" or operation's own name
  const NcclOperation* topic_ = nullptr;      // what the last sentence about NCCL spoke of
  bool in_table_ = false, in_place_ = false;
  std::optional<bool> has_root_;
  std::vector<PrintedRow> rows_;
  BandwidthTable table_;
  BenchOutput bench_;
};

}  // namespace

NcclLog read_nccl_log(const std::string& file) { return Reader(file).read(); }

}  // namespace trainyard

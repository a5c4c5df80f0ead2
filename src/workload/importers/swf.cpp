#include "workload/importers/swf.hpp"

#include "base/text.hpp"
#include "workload/importers/line_reader.hpp"
#include "workload/importers/swf_record.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace trainyard {

namespace {

const char* const kPiece = "piece of a job (status 2 to 4)";
const char* const kNoRunTime = "run time unknown or zero";
const char* const kNoProcessors = "processors unknown or zero";

// Why the line gives no job, or nullptr.
const char* reason_to_drop(const SwfRecord& record) {
  if (record.status >= 2 && record.status <= 4) return kPiece;
  if (record.run_time <= 0) return kNoRunTime;
  if (record.allocated <= 0 && record.requested <= 0) return kNoProcessors;
  return nullptr;
}

bool is_key(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  });
}

// The lines of one file become jobs, one by one.
class Importer {
public:
  Importer(const std::string& file, const SwfOptions& options) : reader_(file), options_(options) {}

  SwfTrace read() {
    while (const auto line = reader_.next()) {
      const std::string_view text = trim(*line);
      if (text.empty()) continue;
      if (text[0] == ';')
        add_comment(trim(text.substr(1)));
      else
        add_record(parse_swf_record(*line, reader_));
      if (options_.max_jobs > 0 && kept() >= options_.max_jobs) break;
    }
    if (entries_.empty()) throw nothing_usable();
    finish();
    return std::move(trace_);
  }

private:
  // What sorting needs; the job itself is moved into the trace only at the end.
  struct Entry {
    double submit;
    std::int64_t number;
    Job job;
  };

  std::int64_t kept() const { return static_cast<std::int64_t>(entries_.size()); }

  void add_comment(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || !is_key(text.substr(0, colon))) return;
    if (text.substr(colon + 1, 2) == "//") return;  // an address, not a key
    const std::string_view raw = trim(text.substr(colon + 1));
    const std::string value = invalid_utf8(raw) ? printable(raw, raw.size()) : std::string(raw);
    std::string& entry = trace_.header[std::string(text.substr(0, colon))];
    entry += entry.empty() ? value : "\n" + value;
  }

  void add_record(const SwfRecord& record) {
    if (const char* reason = reason_to_drop(record)) {
      ++trace_.dropped[reason];
      return;
    }
    refuse_duplicate(record.job);
    if (!entries_.empty() && record.submit < entries_.back().submit) ++trace_.out_of_order;
    entries_.push_back({record.submit, record.job, job_of(record)});
  }

  void refuse_duplicate(std::int64_t number) {
    const int line = reader_.place().line;
    const auto [first, is_new] = line_of_.emplace(number, line);
    if (!is_new)
      throw InputError(reader_.place(), "",
                       "job number " + std::to_string(number) + " is already on line " +
                           std::to_string(first->second));
  }

  Job job_of(const SwfRecord& record) {
    Job job;
    job.name = std::to_string(record.job);
    job.gpus = gpus_of(record);
    job.run_time = seconds(record.run_time);
    const bool limited = record.requested_time > 0;
    job.limit = limited ? seconds(record.requested_time) : options_.default_limit;
    if (!limited) ++trace_.no_limit;
    if (limited && record.run_time > record.requested_time) ++trace_.over_limit;
    const auto priority = options_.queue_priority.find(record.queue);
    if (priority != options_.queue_priority.end()) job.priority = priority->second;
    return job;
  }

  int gpus_of(const SwfRecord& record) const {
    const std::int64_t processors = record.allocated > 0 ? record.allocated : record.requested;
    if (processors > std::numeric_limits<int>::max() / options_.gpus_per_processor)
      throw InputError(reader_.place(), "",
                       "job number " + std::to_string(record.job) + ": " +
                           std::to_string(processors) + " processors of " +
                           std::to_string(options_.gpus_per_processor) +
                           " GPUs each are more than any cluster has");
    return static_cast<int>(processors) * options_.gpus_per_processor;
  }

  void finish() {
    const auto earlier = [](const Entry& a, const Entry& b) {
      return a.submit != b.submit ? a.submit < b.submit : a.number < b.number;
    };
    if (!std::is_sorted(entries_.begin(), entries_.end(), earlier))
      std::sort(entries_.begin(), entries_.end(), earlier);
    trace_.jobs.reserve(entries_.size());
    for (Entry& entry : entries_) {
      entry.job.submit = seconds(entry.submit - entries_.front().submit);
      trace_.jobs.push_back(std::move(entry.job));
    }
  }

  InputError nothing_usable() const {
    std::vector<std::string> reasons;
    for (const auto& [reason, count] : trace_.dropped)
      reasons.push_back(std::to_string(count) + " with " + reason);
    const std::string details = reasons.empty() ? "" : "; dropped: " + join(reasons);
    return {{reader_.place().file}, "", "holds no usable jobs" + details};
  }

  LineReader reader_;
  const SwfOptions& options_;
  SwfTrace trace_;
  std::vector<Entry> entries_;
  std::unordered_map<std::int64_t, int> line_of_;  // job number -> line; looked up, never iterated
};

}  // namespace

SwfTrace read_swf(const std::string& file, const SwfOptions& options) {
  return Importer(file, options).read();
}

}  // namespace trainyard

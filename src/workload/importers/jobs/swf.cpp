#include "workload/importers/jobs/swf.hpp"

#include "base/text.hpp"
#include "workload/importers/jobs/job_collector.hpp"
#include "workload/importers/jobs/swf_record.hpp"
#include "workload/importers/line_reader.hpp"

#include <algorithm>
#include <limits>
#include <utility>

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
  Importer(const std::string& file, const JobTraceOptions& options)
      : reader_(file), options_(options), collector_(options) {}

  JobTrace read() {
    while (const auto line = reader_.next()) {
      const std::string_view text = trim(*line);
      if (text.empty()) continue;
      if (text[0] == ';')
        add_comment(trim(text.substr(1)));
      else
        add_record(parse_swf_record(*line, reader_), text);
      if (collector_.is_full()) break;
    }
    JobTrace trace = collector_.finish(reader_.place().file);
    trace.header = std::move(header_);
    return trace;
  }

private:
  void add_comment(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || !is_key(text.substr(0, colon))) return;
    if (text.substr(colon + 1, 2) == "//") return;  // an address, not a key
    const std::string_view raw = trim(text.substr(colon + 1));
    const std::string value = invalid_utf8(raw) ? printable(raw, raw.size()) : std::string(raw);
    std::string& entry = header_[std::string(text.substr(0, colon))];
    entry += entry.empty() ? value : "\n" + value;
  }

  void add_record(const SwfRecord& record, std::string_view line) {
    if (const char* reason = reason_to_drop(record)) return collector_.drop(reason);
    Job job;
    job.name = std::to_string(record.job);
    job.submit = seconds(record.submit);
    job.gpus = gpus_of(record);
    job.run_time = seconds(record.run_time);
    job.limit = seconds(std::max(0.0, record.requested_time));
    if (record.user >= 0) job.user = std::to_string(record.user);
    if (record.queue >= 0) job.partition = std::to_string(record.queue);
    job.swf = line;
    collector_.keep(std::move(job), std::to_string(record.queue), "", reader_.place());
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

  LineReader reader_;
  const JobTraceOptions& options_;
  JobCollector collector_;
  std::map<std::string, std::string> header_;
};

}  // namespace

JobTrace read_swf(const std::string& file, const JobTraceOptions& options) {
  return Importer(file, options).read();
}

}  // namespace trainyard

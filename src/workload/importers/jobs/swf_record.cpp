#include "workload/importers/jobs/swf_record.hpp"

#include "base/text.hpp"

#include <array>
#include <cmath>

namespace trainyard {

namespace {

constexpr std::size_t kFields = 18;

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Numbers of the format's own table; fields[JobNumber - 1] is the job number.
enum FieldNumber : std::size_t {
  JobNumber = 1,
  Submit = 2,
  RunTime = 4,
  Allocated = 5,
  Requested = 8,
  RequestedTime = 9,
  Status = 11,
  User = 12,
  Queue = 15
};

constexpr std::array<const char*, kFields> kNames = {"job number",
                                                     "submit time",
                                                     "wait time",
                                                     "run time",
                                                     "allocated processors",
                                                     "average CPU time",
                                                     "used memory",
                                                     "requested processors",
                                                     "requested time",
                                                     "requested memory",
                                                     "status",
                                                     "user id",
                                                     "group id",
                                                     "executable number",
                                                     "queue number",
                                                     "partition number",
                                                     "preceding job",
                                                     "think time"};

// 3,000 years in seconds: later than that is milliseconds, or damage.
constexpr double kLongestTime = 1e11;
constexpr double kLargestCount = 1e12;

// The words of one line, where they stand in it, and what they say.
class Fields {
public:
  Fields(std::string_view line, const LineReader& reader) : line_(line), reader_(reader) {
    split();
    for (std::size_t i = 0; i < kFields; ++i) numbers_[i] = number(i);
  }

  double time(FieldNumber field) const {
    const double value = numbers_[field - 1];
    if (value > kLongestTime) throw error(field - 1, "is not a time in seconds");
    return value;
  }

  std::int64_t count(FieldNumber field) const {
    const double value = numbers_[field - 1];
    if (value != std::floor(value) || std::abs(value) > kLargestCount)
      throw error(field - 1, "must be a whole number");
    return static_cast<std::int64_t>(value);
  }

  InputError error(std::size_t index, const std::string& problem, std::size_t byte = 0) const {
    const auto offset = static_cast<std::size_t>(words_[index].data() - line_.data());
    return {reader_.place(offset + byte + 1),
            "field " + std::to_string(index + 1) + " (" + kNames[index] + ")",
            problem + ", got '" + printable(words_[index]) + "'"};
  }

private:
  void split() {
    std::size_t found = 0;
    for (std::size_t at = 0;; ++found) {
      while (at < line_.size() && is_blank(line_[at])) ++at;
      if (at == line_.size()) break;
      const std::size_t begin = at;
      while (at < line_.size() && !is_blank(line_[at])) ++at;
      if (found < kFields) words_[found] = line_.substr(begin, at - begin);
    }
    if (found != kFields)
      throw InputError(reader_.place(), "",
                       "expected " + std::to_string(kFields) + " fields, found " +
                           std::to_string(found) + " in '" + printable(line_) + "'");
  }

  double number(std::size_t index) const {
    const std::optional<double> value = parse_double(words_[index]);
    if (value && std::isfinite(*value)) return *value;
    if (const auto bad_byte = invalid_utf8(words_[index]))
      throw error(index, "holds a byte that is not UTF-8", *bad_byte);
    throw error(index, "must be a number");
  }

  std::string_view line_;
  const LineReader& reader_;
  std::array<std::string_view, kFields> words_;
  std::array<double, kFields> numbers_{};
};

}  // namespace

SwfRecord parse_swf_record(std::string_view line, const LineReader& reader) {
  const Fields fields(line, reader);
  SwfRecord record;
  record.job = fields.count(JobNumber);
  if (record.job < 0) throw fields.error(JobNumber - 1, "must not be negative");
  record.submit = fields.time(Submit);
  if (record.submit < 0) throw fields.error(Submit - 1, "must not be negative");
  record.run_time = fields.time(RunTime);
  record.allocated = fields.count(Allocated);
  record.requested = fields.count(Requested);
  record.requested_time = fields.time(RequestedTime);
  record.status = fields.count(Status);
  record.user = fields.count(User);
  record.queue = fields.count(Queue);
  return record;
}

}  // namespace trainyard

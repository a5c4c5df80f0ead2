#include "workload/importers/nccl/row.hpp"

#include "base/text.hpp"
#include "workload/importers/line_reader.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace trainyard {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::optional<double> figure(std::string_view word) {
  const auto value = parse_double(word);
  return value && std::isfinite(*value) && *value >= 0 ? value : std::nullopt;
}

// time algbw busbw error, from words[first] on.
struct Figures {
  double microseconds = 0, algbw = 0, busbw = 0;
};
std::optional<Figures> figures_at(const std::vector<std::string_view>& words, std::size_t first) {
  if (words.size() < first + 4) return std::nullopt;
  const auto time = figure(words[first]), algbw = figure(words[first + 1]);
  const auto busbw = figure(words[first + 2]);
  if (!time || !algbw || !busbw) return std::nullopt;
  return Figures{*time, *algbw, *busbw};
}

std::optional<PrintedRow> refuse(std::string& problem, const std::string& reason) {
  problem = reason;
  return std::nullopt;
}

bool is_operator(std::string_view word) {
  for (const char* name : {"sum", "prod", "max", "min", "avg", "mulsum", "none"})
    if (word == name) return true;
  return false;
}

}  // namespace

std::string_view without_prefix(std::string_view line) {
  line = trim(line);
  if (line.empty()) return line;
  const auto cut = [&](std::size_t length) { return trim(line.substr(length)); };
  if (line[0] == '[') {  // mpirun: [job,rank]<stream>:
    const std::size_t end = line.find(">:");
    return end != std::string_view::npos && end < 32 && line.find("]<") < end ? cut(end + 2) : line;
  }
  std::size_t digits = 0;
  while (digits < line.size() && is_digit(line[digits])) ++digits;
  const bool labelled = digits > 0 && digits < line.size() && line[digits] == ':' &&
                        (digits + 1 == line.size() || line[digits + 1] == ' ');
  return labelled ? cut(digits + 1) : line;  // srun -l: "0: "
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = text.find_first_not_of(" \t", i);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
    found.push_back(text.substr(begin, end - begin));
    i = end;
  }
  return found;
}

int type_size(std::string_view type) {
  struct Type {
    const char* name;
    int size;
  };
  static constexpr Type kTypes[] = {{"int8", 1},    {"uint8", 1},    {"int32", 4},    {"uint32", 4},
                                    {"int64", 8},   {"uint64", 8},   {"half", 2},     {"float", 4},
                                    {"double", 8},  {"bfloat16", 2}, {"char", 1},     {"int", 4},
                                    {"float16", 2}, {"fp8_e4m3", 1}, {"fp8_e5m2", 1}, {"f8e4m3", 1},
                                    {"f8e5m2", 1}};
  for (const Type& known : kTypes)
    if (type == known.name) return known.size;
  return 0;
}

std::optional<PrintedRow> parse_nccl_row(const std::vector<std::string_view>& words,
                                         std::optional<bool> has_root, std::string& problem) {
  PrintedRow printed;
  if (words.size() < 7)
    return refuse(problem, "a row of " + std::to_string(words.size()) + " columns is cut short");
  const auto size = parse_integer(words[0]), count = parse_integer(words[1]);
  if (!size || *size < 0) return refuse(problem, "size '" + printable(words[0]) + "' is no number");
  if (!count || *count < 0)
    return refuse(problem, "count '" + printable(words[1]) + "' is no number");
  if (!is_letter(words[2][0]))
    return refuse(problem, "type '" + printable(words[2]) + "' is no type");
  printed.row.size = bytes(*size);
  printed.count = *count;
  printed.type_size = type_size(words[2]);
  std::size_t next = 3;
  if (is_operator(words[next])) printed.reduces = words[next++] != "none";
  const bool root = has_root ? *has_root : (words.size() - next) % 4 == 1;
  if (root) ++next;
  const auto out_of_place = figures_at(words, next);
  if (!out_of_place) return refuse(problem, "time, algbw and busbw cannot be read");
  printed.row.time = microseconds(out_of_place->microseconds);
  printed.row.algbw = out_of_place->algbw;
  printed.row.busbw = out_of_place->busbw;
  if (const auto in_place = figures_at(words, next + 4))
    printed.row.in_place = microseconds(in_place->microseconds);
  return printed;
}

std::string contradiction_in(const NcclRow& row) {
  if (row.size == bytes(0)) return "";
  if (!(row.time > Seconds(0))) return "takes no time";
  const double algbw = static_cast<double>(row.size.count()) / in_seconds(row.time) / 1e9;
  if (std::abs(algbw - row.algbw) > 0.0055 + 2e-3 * algbw)
    return "algbw " + fixed(row.algbw, 2) + " is not size / time = " + fixed(algbw, 2) + " GB/s";
  if (row.busbw > 2 * row.algbw + 0.02)
    return "busbw " + fixed(row.busbw, 2) + " is more than twice algbw " + fixed(row.algbw, 2);
  return "";
}

}  // namespace trainyard

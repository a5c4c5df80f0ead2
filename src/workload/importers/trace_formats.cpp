#include "workload/importers/trace_formats.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "workload/importers/chakra/execution_trace.hpp"
#include "workload/importers/chakra/read.hpp"
#include "workload/importers/chrome/inflating_buffer.hpp"
#include "workload/importers/goal/schedule.hpp"
#include "workload/importers/kineto/read.hpp"
#include "workload/importers/simai/aicb.hpp"
#include "workload/importers/simai/workload.hpp"

namespace trainyard {

const std::vector<TraceFormat>& trace_formats() {
  static const std::vector<TraceFormat> formats = {
      {"chakra", read_chakra, "Chakra execution traces (.et), a file a rank", true, true},
      {"kineto", read_kineto, "PyTorch profiler traces (Kineto, .json), a file a rank", true},
      {"pytorch-et", read_execution_trace, "PyTorch execution traces of the host (.json)", true},
      {"goal", read_goal, "GOAL schedules (LogGOPSim, ATLAHS), all ranks in one text file"},
      {"simai", read_simai, "SimAI's workload text, a row a layer", true},
      {"aicb", read_aicb, "AICB's communication tables (.csv), a row a collective", true},
      {"chakra-json", read_chakra_json, "the same as JSON (workload_graph)"},
  };
  return formats;
}

namespace {

// Enough to tell what a text is.
std::string beginning_of(const std::string& file) {
  InflatingBuffer buffer(file);
  std::string head(1 << 12, '\0');
  head.resize(static_cast<std::size_t>(buffer.sgetn(head.data(), 1 << 12)));
  return head;
}

std::string recognised(const std::string& file) {
  if (is_chakra_et(file)) return "chakra";
  const std::string head = beginning_of(file);
  if (head.find("\"workload_graph\"") != std::string::npos) return "chakra-json";
  if (head.find("\"schema\"") != std::string::npos && head.find("-chakra.") != std::string::npos)
    return "pytorch-et";
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && (head[first] == '{' || head.compare(first, 2, "[{") == 0))
    return "kineto";
  const auto has = [&](const char* word) { return head.find(word) != std::string::npos; };
  if (has("comm_type,comm_group")) return "aicb";
  if (has("num_ranks")) return "goal";
  if (has("HYBRID_TRANSFORMER") || has("MICRO")) return "simai";
  throw InputError(
      {file}, "",
      "its content is of no known format; --format names one, 'trainyard list' lists them");
}

void refuse_useless(const RecordedOptions& options, const TraceFormat& format) {
  const auto refuse = [&](const char* option, const std::string& problem) {
    throw InputError(
        {options.files.front()}, option,
        "has no meaning for a trace of format " + std::string(format.name) + ": " + problem);
  };
  if (options.ranks > 0 && !format.takes_ranks) refuse("ranks", "it says how many there are");
  if (!options.groups.empty() && !format.takes_groups)
    refuse("groups", "it says itself who is in which group");
}

void check_ranks(const RecordedOptions& options, const RecordedStep& step) {
  const std::size_t read = step.written ? step.written->ranks.size() : step.ranks.size();
  if (options.ranks > 0 && read != static_cast<std::size_t>(options.ranks))
    throw InputError({options.files.front()}, "ranks",
                     "is " + std::to_string(options.ranks) + ", but the files name " +
                         counted(static_cast<std::int64_t>(read), "rank"));
}

}  // namespace

RecordedStep read_recorded(const RecordedOptions& options, const std::string& format) {
  if (options.files.empty()) throw InputError({}, "files", "none is given");
  const std::string name = format.empty() ? recognised(named_files(options.files).front()) : format;
  std::vector<std::string> names;
  for (const TraceFormat& known : trace_formats()) {
    if (known.name == name) {
      refuse_useless(options, known);
      RecordedStep step = known.read(options);
      check_ranks(options, step);
      return step;
    }
    names.emplace_back(known.name);
  }
  throw InputError({}, "format", "unknown format '" + name + "'" + suggestion(name, names));
}

}  // namespace trainyard

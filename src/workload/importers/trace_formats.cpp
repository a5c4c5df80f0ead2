#include "workload/importers/trace_formats.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "workload/importers/chakra/read.hpp"

namespace trainyard {

const std::vector<TraceFormat>& trace_formats() {
  static const std::vector<TraceFormat> formats = {
      {"chakra", read_chakra, "Chakra execution traces (.et), a file a rank"},
      {"chakra-json", read_chakra_json, "the same as JSON (workload_graph)"},
  };
  return formats;
}

namespace {

std::string recognised(const std::string& file) {
  if (is_chakra_et(file)) return "chakra";
  return "chakra-json";
}

}  // namespace

RecordedStep read_recorded(const RecordedOptions& options, const std::string& format) {
  if (options.files.empty()) throw InputError({}, "files", "none is given");
  const std::string name = format.empty() ? recognised(named_files(options.files).front()) : format;
  std::vector<std::string> names;
  for (const TraceFormat& known : trace_formats()) {
    if (known.name == name) return known.read(options);
    names.emplace_back(known.name);
  }
  throw InputError({}, "format", "unknown format '" + name + "'" + suggestion(name, names));
}

}  // namespace trainyard

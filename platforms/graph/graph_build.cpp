#include "base/error.hpp"
#include "base/text.hpp"
#include "platforms/graph/graph_builder.hpp"
#include "platforms/graph_spec.hpp"

namespace trainyard {

namespace {

Platform build(const GraphSpec& spec) {
  Platform platform;
  platform.fabric = FabricShape::Graph;
  GraphBuilder builder(spec, platform);
  builder.add_nodes();
  builder.add_switches();
  builder.add_cables();
  builder.settle_levels();
  builder.settle_positions();
  return platform;
}

}  // namespace

Platform build_graph(const GraphSpec& spec) {
  if (const auto problem = graph_problem(spec))
    throw InputError({}, problem->property, problem->problem);
  return build(spec);
}

Platform build_graph_topology(Properties& properties) {
  const GraphSpec spec = read_graph(properties);
  if (const auto problem = graph_problem(spec))
    throw properties.error(problem->property, problem->problem);
  return build(spec);
}

namespace {

std::string escaped(const std::string& value) {
  std::string text;
  for (const char c : value) {
    if (c == '&')
      text += "&amp;";
    else if (c == '<')
      text += "&lt;";
    else if (c == '"')
      text += "&quot;";
    else
      text += c;
  }
  return text;
}

std::string prop(const std::string& id, const std::string& value) {
  return "    <prop id=\"" + id + "\" value=\"" + escaped(value) + "\"/>\n";
}

// A long list reads better an entry a line; the XML parser makes spaces of the line ends.
std::string wrapped(const std::string& value) {
  const std::vector<std::string> entries = split(value, ';');
  return entries.size() < 3 ? value : join(entries, ";\n       ");
}

// nvls follows from the GPU.
std::string hardware_props(const Hardware& hardware, const std::string& calibration) {
  std::string text;
  if (!hardware.gpu.empty()) text += prop("gpu", hardware.gpu);
  if (!hardware.cpu_vendor.empty()) text += prop("cpu_vendor", hardware.cpu_vendor);
  if (!hardware.network.empty()) text += prop("network", hardware.network);
  if (hardware.nvlinks_per_gpu > 0)
    text += prop("nvlinks_per_gpu", std::to_string(hardware.nvlinks_per_gpu));
  if (hardware.sharp_trees > 0) text += prop("sharp_trees", std::to_string(hardware.sharp_trees));
  return text + prop("calibration", calibration);
}

}  // namespace

std::string to_xml(const GraphSpec& spec, const std::string& name, const Hardware& hardware,
                   const std::string& calibration) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n  <zone id=\"" +
      escaped(name) + "\" routing=\"None\">\n" + prop("topology", "graph");
  for (const auto& [id, value] : to_properties(spec)) text += prop(id, wrapped(value));
  return text + hardware_props(hardware, calibration) + "  </zone>\n</platform>\n";
}

}  // namespace trainyard

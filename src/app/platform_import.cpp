// `trainyard platform import`: a site's files in, a platform file out, and what was understood.

#include "app/commands.hpp"
#include "app/free_file.hpp"
#include "base/error.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "config/units.hpp"
#include "platforms/site/import_site.hpp"
#include "platforms/xml.hpp"

#include <filesystem>
#include <iostream>

namespace trainyard {

namespace {

template <typename Quantity>
void read(Quantity& value, const char* option, const std::string& text,
          Quantity (*parse)(std::string_view, std::string&)) {
  if (text.empty()) return;
  std::string problem;
  value = parse(text, problem);
  if (problem.empty() && value < Quantity()) problem = "must not be negative, got '" + text + "'";
  if (!problem.empty()) throw InputError({}, option, problem);
}

void read_rate(Bandwidth& rate, const char* option, const std::string& text) {
  read(rate, option, text, parse_bandwidth);
  if (!text.empty() && rate == Bandwidth())
    throw InputError({}, option, "must be positive, got '" + text + "'");
}

SiteOptions site_options(const PlatformImportOptions& given) {
  SiteOptions options;
  options.gpus_per_node = given.gpus_per_node;
  options.nics_per_node = given.nics_per_node;
  options.uplinks = given.uplinks;
  options.gpu = given.gpu;
  options.hosts = given.hosts;
  options.network = given.network;
  read_rate(options.nvlink, "--nvlink", given.nvlink);
  read_rate(options.nic, "--nic", given.nic);
  read_rate(options.link, "--link", given.link);
  read(options.switch_latency, "--latency", given.latency, parse_seconds);
  read(options.nic_latency, "--nic-latency", given.nic_latency, parse_seconds);
  read(options.nvlink_latency, "--nvlink-latency", given.nvlink_latency, parse_seconds);
  read(options.pcie_latency, "--pcie-latency", given.pcie_latency, parse_seconds);
  return options;
}

std::vector<SiteFile> site_files(const PlatformImportOptions& given) {
  if (given.formats.size() > given.files.size())
    throw InputError({}, "--format",
                     "is given " + std::to_string(given.formats.size()) + " times for " +
                         std::to_string(given.files.size()) + " files");
  std::vector<SiteFile> files;
  for (std::size_t i = 0; i < given.files.size(); ++i)
    files.push_back({given.files[i], i < given.formats.size() ? given.formats[i] : ""});
  return files;
}

std::string assumed(const PlatformImportOptions& given) {
  std::string text;
  const auto add = [&](const std::string& option, const char* what) {
    if (option.empty()) text += std::string(text.empty() ? "" : ", ") + what;
  };
  add(given.latency, "--latency 130 ns");
  add(given.nic_latency, "--nic-latency 0.5 us");
  add(given.nvlink_latency, "--nvlink-latency 0.5 us");
  add(given.pcie_latency, "--pcie-latency 0.25 us");
  return text;
}

}  // namespace

void platform_import_command(const PlatformImportOptions& given) {
  check_free(given.output, given.replace);
  const ImportedSite imported = import_site(site_files(given), site_options(given));
  const std::string name = std::filesystem::path(given.output).stem().string();
  const std::string text = to_xml(imported.site.spec, name, imported.site.hardware);
  const Platform platform = parse_platform(given.output, text);  // what was written can be read
  write_file_whole(given.output, [&](std::ostream& out) { out << text; });
  for (const std::string& sentence : imported.understood) std::cout << sentence << '\n';
  for (const std::string& note : imported.site.notes) std::cout << "note: " << note << '\n';
  if (const std::string latencies = assumed(given); !latencies.empty())
    std::cout << "note: assumed: " << latencies << '\n';
  const auto count = [](const auto& things, const char* what) {
    return counted(static_cast<std::int64_t>(things.size()), what);
  };
  std::cout << given.output << ": " << count(platform.nodes, "node") << ", "
            << count(platform.gpus, "GPU") << ", " << count(platform.nics, "NIC") << ", "
            << count(platform.switches, "switch") << '\n';
}

}  // namespace trainyard

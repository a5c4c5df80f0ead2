#include "platforms/xml.hpp"

#include "config/section.hpp"
#include "platforms/registry.hpp"
#include "platforms/xml_file.hpp"

#include <algorithm>
#include <filesystem>
#include <pugixml.hpp>

namespace trainyard {

namespace {

using Overrides = std::vector<std::pair<std::string, Properties::Value>>;

// The first element that only a plain SimGrid platform has, or an empty node.
pugi::xml_node plain_element(pugi::xml_node root) {
  const std::vector<std::string> plain = {"cluster", "cabinet", "peer", "host", "link"};
  return root.find_node([&](pugi::xml_node node) {
    return std::find(plain.begin(), plain.end(), node.name()) != plain.end();
  });
}

void check_platform(const XmlFile& xml) {
  const pugi::xml_node platform = xml.root();
  if (platform.name() != std::string("platform"))
    throw xml.error(platform, "is not a platform; the file must hold <platform version=\"4.1\">");
  if (const pugi::xml_node plain = plain_element(platform))
    throw xml.error(plain, "makes this a plain SimGrid platform, which names no topology");
  xml.require_attributes(platform, {"version"});
  if (platform.attribute("version").value() != std::string("4.1"))
    throw xml.error(platform, "must have version=\"4.1\", got '" +
                                  std::string(platform.attribute("version").value()) + "'");
  xml.require_children(platform, "zone");
}

pugi::xml_node only_zone(const XmlFile& xml) {
  const pugi::xml_node zone = xml.root().child("zone");
  if (!zone) throw xml.error(xml.root(), "has no <zone>: it describes no GPUs");
  if (zone.next_sibling()) throw xml.error(zone.next_sibling(), "is a second one; one is allowed");
  xml.require_attributes(zone, {"id", "routing"});
  if (*zone.attribute("id").value() == '\0') throw xml.error(zone, "has an empty id");
  if (zone.attribute("routing").value() != std::string("None"))
    throw xml.error(zone, "must have routing=\"None\" (the topology routes), got '" +
                              std::string(zone.attribute("routing").value()) + "'");
  if (!zone.child("prop"))
    throw xml.error(zone, "has no <prop> and no <host>: it describes no GPUs");
  xml.require_children(zone, "prop");
  return zone;
}

Properties read_properties(const XmlFile& xml) {
  check_platform(xml);
  const pugi::xml_node zone = only_zone(xml);
  Properties properties(zone.attribute("id").value(), xml.place(zone));
  for (const pugi::xml_node prop : zone.children()) {
    xml.require_attributes(prop, {"id", "value"});
    if (prop.first_child()) throw xml.error(prop, "must be empty: <prop id=\"..\" value=\"..\"/>");
    properties.add(prop.attribute("id").value(),
                   {prop.attribute("value").value(), xml.place(prop)});
  }
  return properties;
}

}  // namespace

bool is_plain_simgrid(const std::string& file) {
  return static_cast<bool>(plain_element(XmlFile(file, read_file(file)).root()));
}

Platform parse_platform(const std::string& file, const std::string& text,
                        const Overrides& overrides) {
  Properties properties = read_properties(XmlFile(file, text));
  for (const auto& [id, value] : overrides) properties.override_with(id, value);
  return build_platform(properties);
}

Platform load_platform(const std::string& file, const Overrides& overrides) {
  Platform platform = parse_platform(file, read_file(file), overrides);
  const std::filesystem::path calibration(platform.calibration);
  if (calibration.extension() == ".csv" && calibration.is_relative())
    platform.calibration = (std::filesystem::path(file).parent_path() / calibration).string();
  return platform;
}

}  // namespace trainyard

#include "platforms/xml.hpp"

#include "base/text.hpp"
#include "config/section.hpp"
#include "platforms/registry.hpp"

#include <algorithm>
#include <pugixml.hpp>

namespace trainyard {

namespace {

using Overrides = std::vector<std::pair<std::string, Properties::Value>>;

// A parsed file that can say where its elements are.
class XmlFile {
public:
  XmlFile(std::string file, const std::string& text);

  Place place(pugi::xml_node element) const {
    return place_at(static_cast<std::size_t>(element.offset_debug()) - 1);  // its '<'
  }
  InputError error(pugi::xml_node element, const std::string& problem) const {
    return {place(element), "", "<" + std::string(element.name()) + "> " + problem};
  }
  pugi::xml_node root() const { return document_.document_element(); }

  // Throws unless the element's attributes are among these, and all of these are there.
  void require_attributes(pugi::xml_node element, const std::vector<std::string>& ids) const;
  // Throws unless it holds elements of this name only.
  void require_children(pugi::xml_node element, const std::string& name) const;

private:
  Place place_at(std::size_t offset) const;

  std::string file_;
  std::vector<std::size_t> line_starts_;
  pugi::xml_document document_;
};

XmlFile::XmlFile(std::string file, const std::string& text)
    : file_(std::move(file)), line_starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') line_starts_.push_back(i + 1);
  if (trim(text).empty()) throw InputError({file_}, "", "is empty, not a platform file");
  if (const auto offset = invalid_utf8(text))
    throw InputError(place_at(*offset), "", "is not valid UTF-8");
  const pugi::xml_parse_result result =
      document_.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (result.status == pugi::status_no_document_element)
    throw InputError({file_}, "", "holds no XML element, so it is not a platform file");
  if (!result)
    throw InputError(place_at(static_cast<std::size_t>(result.offset)), "",
                     std::string("malformed XML: ") + result.description());
  for (const pugi::xml_node node : document_.children())
    if (node != root()) throw error(node, "stands beside the document's only element");
}

Place XmlFile::place_at(std::size_t offset) const {
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return {file_, static_cast<int>(next - line_starts_.begin()),
          static_cast<int>(offset - *(next - 1) + 1)};
}

void XmlFile::require_attributes(pugi::xml_node element,
                                 const std::vector<std::string>& ids) const {
  for (const pugi::xml_attribute attribute : element.attributes()) {
    const std::string name = attribute.name();
    if (std::find(ids.begin(), ids.end(), name) == ids.end())
      throw error(element, "has an unknown attribute '" + name + "'" + suggestion(name, ids));
    if (element.attribute(attribute.name()) != attribute)
      throw error(element, "has the attribute '" + name + "' twice");
  }
  for (const std::string& id : ids)
    if (!element.attribute(id.c_str())) throw error(element, "lacks the attribute '" + id + "'");
}

void XmlFile::require_children(pugi::xml_node element, const std::string& name) const {
  for (const pugi::xml_node child : element.children()) {
    if (child.type() != pugi::node_element)
      throw error(element, "holds text; only <" + name + "> belongs there");
    if (child.name() != name)
      throw error(child, "is unknown here" + suggestion(child.name(), {name}));
  }
}

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
  return parse_platform(file, read_file(file), overrides);
}

}  // namespace trainyard

#include "platforms/xml_file.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace trainyard {

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

void XmlFile::require_attributes(pugi::xml_node element, const std::vector<std::string>& ids,
                                 const std::vector<std::string>& optional) const {
  std::vector<std::string> known = ids;
  known.insert(known.end(), optional.begin(), optional.end());
  for (const pugi::xml_attribute attribute : element.attributes()) {
    const std::string name = attribute.name();
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw error(element, "has an unknown attribute '" + name + "'" + suggestion(name, known));
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

}  // namespace trainyard

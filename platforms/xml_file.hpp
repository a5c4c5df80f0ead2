// A parsed XML file that can say where its elements are.
//
// Every error has file, line and column; strictness about attributes and children is asked for
// element by element. For the readers of platforms/ only: pugixml stays in this folder.
#pragma once

#include "base/error.hpp"

#include <pugixml.hpp>
#include <string>
#include <vector>

namespace trainyard {

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

  // Throws unless all of `ids` are there, and no attribute beside them and the optional ones.
  void require_attributes(pugi::xml_node element, const std::vector<std::string>& ids,
                          const std::vector<std::string>& optional = {}) const;
  // Throws unless it holds elements of this name only.
  void require_children(pugi::xml_node element, const std::string& name) const;

private:
  Place place_at(std::size_t offset) const;

  std::string file_;
  std::vector<std::size_t> line_starts_;
  pugi::xml_document document_;
};

}  // namespace trainyard

#include "platforms/drawing/svg.hpp"

#include "base/text.hpp"

namespace trainyard {

namespace {

std::string escaped(const std::string& words) {
  std::string text;
  for (const char c : words) {
    if (c == '&')
      text += "&amp;";
    else if (c == '<')
      text += "&lt;";
    else if (c == '>')
      text += "&gt;";
    else if (c == '"')
      text += "&quot;";
    else
      text += c;
  }
  return text;
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + escaped(value) + "\"";
}

std::string attribute(const char* name, double value) { return attribute(name, fixed(value, 1)); }

}  // namespace

void Svg::line(double x1, double y1, double x2, double y2, const std::string& colour,
               double width) {
  body_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) +
           attribute("y2", y2) + attribute("stroke", colour) + attribute("stroke-width", width) +
           "/>\n";
}

void Svg::box(double x, double y, double width, double height, const std::string& fill,
              const std::string& border, double radius) {
  body_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
           attribute("height", height) + attribute("rx", radius) + attribute("fill", fill) +
           attribute("stroke", border) + "/>\n";
}

void Svg::text(double x, double y, const std::string& words, const Text& style) {
  body_ += "<text" + attribute("x", x) + attribute("y", y) + attribute("font-size", style.size) +
           attribute("fill", std::string(style.colour)) +
           attribute("text-anchor", std::string(style.anchor)) +
           (style.bold ? attribute("font-weight", std::string("bold")) : "") + ">" +
           escaped(words) + "</text>\n";
}

void Svg::group(const std::string& title) { body_ += "<g><title>" + escaped(title) + "</title>\n"; }

void Svg::end_group() { body_ += "</g>\n"; }

std::string Svg::document(double width, double height, const std::string& title) const {
  const std::string size = fixed(width, 0) + " " + fixed(height, 0);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<svg xmlns=\"http://www.w3.org/2000/svg\"" +
         attribute("width", width) + attribute("height", height) +
         attribute("viewBox", "0 0 " + size) +
         " font-family=\"Helvetica, Arial, sans-serif\">\n<title>" + escaped(title) +
         "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" + body_ + "</svg>\n";
}

}  // namespace trainyard

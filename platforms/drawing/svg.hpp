// Shapes and words of an SVG picture. Text is escaped, numbers are the same on every machine.
#pragma once

#include <string>

namespace trainyard {

class Svg {
public:
  struct Text {
    double size = 12;
    const char* colour = "#1f2933";
    const char* anchor = "start";  // "middle", "end"
    bool bold = false;
  };

  void line(double x1, double y1, double x2, double y2, const std::string& colour, double width);
  void box(double x, double y, double width, double height, const std::string& fill,
           const std::string& border, double radius);
  void text(double x, double y, const std::string& words, const Text& style);
  // Shows the words where the mouse rests on what was drawn last.
  void group(const std::string& title);
  void end_group();

  std::string document(double width, double height, const std::string& title) const;

private:
  std::string body_;
};

}  // namespace trainyard

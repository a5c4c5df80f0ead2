#include "platforms/drawing/picture.hpp"

#include "base/text.hpp"
#include "platforms/drawing/picture_parts.hpp"

namespace trainyard {

namespace drawing {

void Picture::draw_title() {
  svg_.text(24, 38, shortened(platform_.name, 90), {22, "#1f2933", "start", true});
  const auto count = [](const auto& things, const char* what) {
    return counted(static_cast<std::int64_t>(things.size()), what);
  };
  std::string facts = count(platform_.nodes, "node") + ", " + count(platform_.gpus, "GPU") + ", " +
                      count(platform_.nics, "NIC") + ", " + count(platform_.switches, "switch");
  if (const Bandwidth half = bisection(platform_); half > Bandwidth())
    facts += "; bisection " + readable(half) + " each way";
  if (const int longest = diameter(platform_); longest > 0)
    facts += "; at most " + counted(longest, "link") + " from NIC to NIC";
  svg_.text(24, 62, facts, {13, kGrey});
}

std::string Picture::draw() {
  choose();
  draw_title();
  draw_cables();
  draw_switches();
  draw_nodes();
  const double height = draw_legend();
  return svg_.document(kWidth, height, platform_.name);
}

}  // namespace drawing

std::string draw(const Platform& platform) { return drawing::Picture(platform).draw(); }

}  // namespace trainyard

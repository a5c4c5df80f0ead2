#include "study/sweep.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace trainyard {

namespace {

constexpr std::size_t kLongestName = 200;  // bytes; file systems allow 255

// What may stand in a file's name without quotes in a shell.
char safe(char c) {
  const bool alphanumeric =
      (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return alphanumeric || std::string_view("._=+,@%").find(c) != std::string_view::npos ? c : '-';
}

// Every point with every value of one more key.
std::vector<SweepPoint> product(const std::vector<SweepPoint>& points, const std::string& key,
                                const std::vector<std::string>& values, const Place& from) {
  std::vector<SweepPoint> result;
  for (const SweepPoint& point : points)
    for (const std::string& value : values) {
      result.push_back(point);
      result.back().settings.push_back({key, value, from});
    }
  return result;
}

constexpr std::size_t kMostPoints = 10000;

}  // namespace

std::string SweepPoint::label() const {
  std::string text;
  for (const Setting& setting : settings) {
    if (!text.empty()) text += ' ';
    text += setting.key + "=" + setting.value;
  }
  return text;
}

std::string SweepPoint::directory(std::size_t number) const {
  char prefix[24];
  std::snprintf(prefix, sizeof prefix, "%02zu", number);
  std::string text = prefix;
  for (const Setting& setting : settings) text += "__" + setting.key + "=" + setting.value;
  std::transform(text.begin(), text.end(), text.begin(), safe);
  return text.substr(0, kLongestName);
}

std::vector<SweepPoint> take_sweep(Document& document) {
  std::vector<SweepPoint> points;
  Section root = document.root();
  if (!root.has("sweep")) return points;
  Section sweep = root.section("sweep");
  if (sweep.keys().empty()) throw root.error("sweep", "has no key to vary");
  points.emplace_back();
  for (const std::string& key : sweep.keys()) {
    const std::vector<std::string> values = sweep.texts(key);
    if (values.empty()) throw sweep.error(key, "has no value to try");
    if (values.size() > kMostPoints / points.size())
      throw sweep.error(key, "makes more than " + std::to_string(kMostPoints) + " points");
    points = product(points, key, values, sweep.place(key));
  }
  sweep.finish();
  document.remove("sweep");
  return points;
}

void settle(Document& document, const SweepPoint& point) {
  for (const Setting& setting : point.settings) {
    if (setting.key.rfind("platform.", 0) == 0) open_platform(document);
    document.set_text(setting.key, setting.value, setting.from);
  }
}

void open_platform(Document& document) {
  Section root = document.root();
  if (!root.is_scalar("platform")) return;
  const std::string file = root.text("platform");
  const Place place = root.place("platform");
  document.remove("platform");
  document.set_text("platform.file", file, place);
}

}  // namespace trainyard

#include "study/sweep.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

namespace trainyard {

std::string SweepPoint::label() const {
  std::string text;
  for (const auto& [key, value] : settings) {
    if (!text.empty()) text += ' ';
    text += key + "=" + value;
  }
  return text;
}

std::string SweepPoint::directory(std::size_t number) const {
  char prefix[24];
  std::snprintf(prefix, sizeof prefix, "%02zu", number);
  std::string text = prefix;
  for (const auto& [key, value] : settings) text += "__" + key + "=" + value;
  for (char& c : text)
    if (c == '/' || c == ' ') c = '-';
  return text;
}

std::vector<SweepPoint> take_sweep(Document& document) {
  std::vector<SweepPoint> points;
  Section root = document.root();
  if (!root.has("sweep")) return points;
  Section sweep = root.section("sweep");
  points.emplace_back();
  for (const std::string& key : sweep.keys()) {
    const std::vector<std::string> values = sweep.texts(key);
    if (values.empty()) throw sweep.error(key, "has no value to try");
    std::vector<SweepPoint> product;
    for (const SweepPoint& point : points)
      for (const std::string& value : values) {
        product.push_back(point);
        product.back().settings.emplace_back(key, value);
      }
    points = std::move(product);
  }
  sweep.finish();
  document.remove("sweep");
  return points;
}

int run_points(std::size_t points, int workers, const std::function<int(std::size_t)>& work,
               const std::function<void(std::size_t)>& done) {
  std::vector<int> codes(points, 0);
  std::map<pid_t, std::size_t> running;
  std::size_t next = 0, finished = 0;
  while (finished < points) {
    while (next < points && running.size() < static_cast<std::size_t>(std::max(1, workers))) {
      std::fflush(nullptr);  // or the child would print our buffers again
      const pid_t child = fork();
      if (child == 0) _exit(work(next));
      if (child < 0) return 1;
      running[child] = next++;
    }
    int status = 0;
    const pid_t child = wait(&status);
    const auto point = running.find(child);
    if (point == running.end()) continue;
    codes[point->second] = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    running.erase(point);
    done(++finished);
  }
  const auto failed = std::find_if(codes.begin(), codes.end(), [](int code) { return code != 0; });
  return failed == codes.end() ? 0 : *failed;
}

}  // namespace trainyard

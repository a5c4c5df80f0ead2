#include "report/progress.hpp"

#include "base/text.hpp"

#include <cmath>
#include <cstdio>

namespace trainyard {

namespace {

constexpr std::chrono::milliseconds kBetweenPrints{200};

std::string two_units(std::int64_t count, std::int64_t per_unit, const char* large,
                      const char* small) {
  std::string rest = std::to_string(100 + count % per_unit).substr(1);
  return std::to_string(count / per_unit) + " " + large + " " + rest + " " + small;
}

}  // namespace

std::string in_words(Seconds time) {
  if (!std::isfinite(in_seconds(time))) return "forever";
  const auto whole = static_cast<std::int64_t>(std::llround(in_seconds(time)));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return two_units(whole, 60, "min", "s");
  if (whole < 86400) return two_units(whole / 60, 60, "h", "min");
  return two_units(whole / 3600, 24, "d", "h");
}

std::string progress_line(Seconds simulated, Seconds elapsed, std::int64_t done,
                          std::int64_t total) {
  std::string line = "simulated " + in_words(simulated);
  if (elapsed > Seconds{}) line += ", " + fixed(simulated / elapsed, 0) + " s/s";
  line += ", jobs " + std::to_string(done) + "/" + std::to_string(total);
  if (done > 0 && done < total) {
    const double to_come = static_cast<double>(total - done) / static_cast<double>(done);
    line += ", about " + in_words(elapsed * to_come) + " left";
  }
  return line;
}

Progress::Progress(bool terminal, std::int64_t total_jobs)
    : terminal_(terminal),
      total_jobs_(total_jobs),
      start_(std::chrono::steady_clock::now()),
      last_print_(start_) {}

void Progress::update(Seconds now, std::int64_t done) {
  now_ = now;
  done_ = done;
  if (!terminal_) return;
  const auto wall = std::chrono::steady_clock::now();
  if (wall - last_print_ < kBetweenPrints) return;
  last_print_ = wall;
  print();
}

void Progress::finish() {
  if (!terminal_) return;
  print();
  std::fputc('\n', stderr);
}

// Returns to the line's beginning, and clears what a longer line left behind.
void Progress::print() const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  const std::string line = progress_line(now_, seconds(elapsed.count()), done_, total_jobs_);
  std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
  std::fflush(stderr);
}

}  // namespace trainyard

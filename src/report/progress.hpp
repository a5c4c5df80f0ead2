// The live line of a run: simulated time, its rate, jobs done and the time that is left.
//
// For eyes only. It is the one place of a run that reads the wall clock, and nothing it reads gets
// into a result.
#pragma once

#include "base/quantity.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace trainyard {

// "simulated 2 h 05 min, 1500 s/s, jobs 12/40, about 3 min left". The rest is estimated from the
// jobs, and left out while none is done.
std::string progress_line(Seconds simulated, Seconds elapsed, std::int64_t done,
                          std::int64_t total);

// "45 s", "12 min 30 s", "2 h 05 min", "3 d 04 h"
std::string in_words(Seconds time);

class Progress {
public:
  Progress(bool terminal, std::int64_t total_jobs);
  void update(Seconds now, std::int64_t done);  // cheap; prints at most five times a second
  void finish();                                // leaves the last line standing

private:
  void print() const;

  bool terminal_;
  std::int64_t total_jobs_;
  std::chrono::steady_clock::time_point start_, last_print_;
  Seconds now_;
  std::int64_t done_ = 0;
};

}  // namespace trainyard

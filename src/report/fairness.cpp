#include "report/fairness.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

namespace trainyard {

std::int64_t overtaken(const EventLog& log, const std::vector<JobTimes>& jobs) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> order(jobs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return jobs[a].submit > jobs[b].submit; });
  std::map<std::int64_t, double> earliest;  // start of any job submitted later, by priority
  std::int64_t count = 0;
  for (auto first = order.begin(); first != order.end();) {
    auto last = first;  // of those submitted at the same time nobody came later
    for (; last != order.end() && jobs[*last].submit == jobs[*first].submit; ++last) {
      const auto rival = earliest.find(log.jobs[*last].priority);
      double start = kNever;
      if (jobs[*last].started) start = jobs[*last].first_start;
      if (rival != earliest.end() && rival->second < start) ++count;
    }
    for (; first != last; ++first) {
      if (!jobs[*first].started) continue;
      double& start = earliest.emplace(log.jobs[*first].priority, kNever).first->second;
      start = std::min(start, jobs[*first].first_start);
    }
  }
  return count;
}

double evenness_among_users(const EventLog& log, const std::vector<JobTimes>& jobs) {
  std::map<std::string, std::vector<JobTimes>> by_user;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (jobs[i].completed && !log.jobs[i].user.empty())
      by_user[log.jobs[i].user].push_back(jobs[i]);
  if (by_user.size() < 2) return kUndefined;
  double sum = 0, squares = 0;
  for (const auto& [user, theirs] : by_user) {
    const double slowdown = mean(bounded_slowdowns(theirs));
    sum += slowdown;
    squares += slowdown * slowdown;
  }
  return sum * sum / (static_cast<double>(by_user.size()) * squares);
}

int longest_cascade(const EventLog& log) {
  std::map<JobId, int> caused;  // by preemptor: the longest chain that it ended
  int longest = 0;
  for (const AttemptRecord& attempt : log.attempts) {
    if (!attempt.preempted_for.valid()) continue;
    const auto before = caused.find(attempt.job);
    const int length = 1 + (before == caused.end() ? 0 : before->second);
    int& theirs = caused[attempt.preempted_for];
    theirs = std::max(theirs, length);
    longest = std::max(longest, length);
  }
  return longest;
}

}  // namespace trainyard

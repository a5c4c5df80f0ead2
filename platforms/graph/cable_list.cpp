#include "platforms/graph/cable_list.hpp"

#include "platforms/graph/name_list.hpp"

#include <algorithm>

namespace trainyard {

namespace {

using Cable = GraphSpec::Cable;

bool alike(const Cable& one, const Cable& other) {
  return one.bandwidth == other.bandwidth && one.latency == other.latency &&
         one.count == other.count;
}

// How many cables from `begin` on continue as `continues` says.
template <typename Continues>
std::size_t length(const std::vector<Cable>& cables, std::size_t begin, Continues continues) {
  std::size_t end = begin + 1;
  while (end < cables.size() && alike(cables[begin], cables[end]) && continues(cables[end])) ++end;
  return end - begin;
}

// The longest run from `begin` on with one end fixed, or else with both ends counting up.
CableRun simple_run(const std::vector<Cable>& cables, std::size_t begin) {
  const Cable& first = cables[begin];
  const std::size_t in = length(cables, begin, [&](const Cable& c) { return c.b == first.b; });
  const std::size_t out = length(cables, begin, [&](const Cable& c) { return c.a == first.a; });
  NameSeries a(first.a), b(first.b);
  const std::size_t both = length(cables, begin, [&](const Cable& c) {
    NameSeries longer = a;
    if (!longer.extend(c.a) || !b.extend(c.b)) return false;
    a = longer;
    return true;
  });
  const std::size_t longest = std::max({in, out, both});
  CableRun run;
  run.alike = first;
  for (std::size_t i = begin; i < begin + longest; ++i) {
    if (i == begin || longest != out) run.a.push_back(cables[i].a);
    if (i == begin || longest == out || longest != in) run.b.push_back(cables[i].b);
  }
  return run;
}

// Whether `next` only goes on with other left ends and the same right ends.
bool continues(const CableRun& run, const CableRun& next) {
  if (!alike(run.alike, next.alike) || run.b != next.b || run.b.size() < 2) return false;
  if (next.a.size() == 1) return run.each_with_each || run.a.size() == 1;
  return !run.each_with_each && next.a.size() == next.b.size() && run.a.size() != 1;
}

}  // namespace

std::vector<CableRun> to_runs(const std::vector<Cable>& cables) {
  std::vector<CableRun> runs;
  for (std::size_t i = 0; i < cables.size();) {
    CableRun run = simple_run(cables, i);
    i += size_of(run);
    if (runs.empty() || !continues(runs.back(), run)) {
      runs.push_back(std::move(run));
      continue;
    }
    CableRun& last = runs.back();
    last.each_with_each = run.a.size() == 1;
    last.a.insert(last.a.end(), run.a.begin(), run.a.end());
  }
  return runs;
}

std::size_t size_of(const CableRun& run) {
  if (run.each_with_each) return run.a.size() * run.b.size();
  const auto [shorter, longer] = std::minmax({run.a.size(), run.b.size()});
  return shorter > 0 && longer % shorter == 0 ? longer : 0;
}

void append_cables(const CableRun& run, std::vector<Cable>& cables) {
  const std::size_t count = size_of(run);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t left = run.each_with_each ? i / run.b.size() : i % run.a.size();
    Cable cable = run.alike;
    cable.a = run.a[left];
    cable.b = run.b[i % run.b.size()];
    cables.push_back(std::move(cable));
  }
}

}  // namespace trainyard

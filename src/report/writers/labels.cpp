#include "report/writers/labels.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace trainyard {

std::vector<std::string> job_labels(const EventLog& log) {
  std::vector<std::string> labels;
  labels.reserve(log.jobs.size());
  std::set<std::pair<std::string, std::string>> taken;
  for (const Job& job : log.jobs) {
    const std::string id = std::to_string(job.id.value());
    std::string label = job.name.empty() ? "job-" + id : job.name;
    if (!taken.insert({job.workload, label}).second) label += "@" + id;
    taken.insert({job.workload, label});
    labels.push_back(std::move(label));
  }
  return labels;
}

std::string interval_set(std::vector<std::int32_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < numbers.size(); begin = end) {
    for (end = begin + 1; end < numbers.size() && numbers[end] == numbers[end - 1] + 1;) ++end;
    if (!text.empty()) text += ' ';
    text += std::to_string(numbers[begin]);
    if (end - begin > 1) text += '-' + std::to_string(numbers[end - 1]);
  }
  return text;
}

std::vector<std::int32_t> gpu_numbers(const Allocation& allocation) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(allocation.gpus.size());
  for (const GpuId gpu : allocation.gpus) numbers.push_back(gpu.value());
  return numbers;
}

std::vector<std::int32_t> node_numbers(const Platform& platform, const Allocation& allocation) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(allocation.gpus.size());
  for (const GpuId gpu : allocation.gpus)
    numbers.push_back(platform.gpus[gpu.index()].node.value());
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace trainyard

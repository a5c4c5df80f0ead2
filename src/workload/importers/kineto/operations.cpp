#include "workload/importers/kineto/operations.hpp"

#include <algorithm>
#include <map>

namespace trainyard {

namespace {

// A kernel that waited starts within this of what it waited for (the event's way through the GPU).
constexpr double kWakeUpUs = 20;
constexpr double kRoundingUs = 1;

class Maker {
public:
  Maker(const std::vector<KinetoKernel>& kernels, const KinetoMeanings& meanings, double origin_us)
      : kernels_(kernels), meanings_(meanings), origin_us_(origin_us) {}

  std::vector<RecordedOperation> make() {
    number_streams();
    find_dependencies();
    for (std::size_t i = 0; i < kernels_.size(); ++i) add(i);
    return std::move(operations_);
  }

private:
  bool is_collective(std::size_t i) const { return kernels_[i].is_nccl(); }

  void number_streams() {
    std::map<std::pair<std::int64_t, std::int64_t>, int> streams;
    for (const KinetoKernel& kernel : kernels_) {
      const std::pair<std::int64_t, std::int64_t> key{kernel.device, kernel.stream};
      stream_.push_back(streams.insert({key, static_cast<int>(streams.size())}).first->second);
    }
    streams_ = streams.size();
  }

  void find_dependencies() {
    after_.resize(kernels_.size());
    previous_.resize(kernels_.size(), -1);
    std::vector<int> last(streams_, -1);
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      previous_[i] = last[static_cast<std::size_t>(stream_[i])];
      last[static_cast<std::size_t>(stream_[i])] = static_cast<int>(i);
    }
    collectives_wait_for_launched();
    kernels_wait_for_collectives();
  }

  // By launch: the last kernel of each other stream launched before the collective.
  void collectives_wait_for_launched() {
    std::vector<std::size_t> by_launch(kernels_.size());
    for (std::size_t i = 0; i < by_launch.size(); ++i) by_launch[i] = i;
    std::stable_sort(by_launch.begin(), by_launch.end(), [&](std::size_t a, std::size_t b) {
      return kernels_[a].launched_us < kernels_[b].launched_us;
    });
    std::vector<int> latest(streams_, -1);
    for (const std::size_t i : by_launch) {
      const auto stream = static_cast<std::size_t>(stream_[i]);
      if (is_collective(i))
        for (std::size_t s = 0; s < latest.size(); ++s)
          if (s != stream && latest[s] >= 0 && ended(latest[s], i)) after_[i].push_back(latest[s]);
      if (!is_collective(i)) latest[stream] = std::max(latest[stream], static_cast<int>(i));
    }
  }

  // Whether kernel `before` had ended when kernel `i` started, as it must have if `i` waited.
  bool ended(int before, std::size_t i) const {
    return kernels_[static_cast<std::size_t>(before)].end_us() <=
           kernels_[i].start_us + kRoundingUs;
  }

  void kernels_wait_for_collectives() {
    std::vector<int> latest(streams_, -1);  // the collective that ended last so far, by stream
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      const double free =
          std::max(kernels_[i].launched_us,
                   previous_[i] < 0 ? kernels_[i].launched_us : kernel(previous_[i]).end_us());
      for (std::size_t s = 0; s < latest.size(); ++s) {
        const int collective = latest[s];
        if (collective < 0 || static_cast<int>(s) == stream_[i] || is_collective(i)) continue;
        const double end = kernel(collective).end_us();
        if (free < end && end <= kernels_[i].start_us + kRoundingUs &&
            kernels_[i].start_us <= end + kWakeUpUs)
          after_[i].push_back(collective);
      }
      if (is_collective(i)) latest[static_cast<std::size_t>(stream_[i])] = static_cast<int>(i);
    }
  }

  const KinetoKernel& kernel(int i) const { return kernels_[static_cast<std::size_t>(i)]; }

  // When everything that the kernel waits for had ended.
  double ready_us(std::size_t i) const {
    double ready = origin_us_;
    if (previous_[i] >= 0) ready = std::max(ready, kernel(previous_[i]).end_us());
    for (const int before : after_[i]) ready = std::max(ready, kernel(before).end_us());
    return ready;
  }

  void add(std::size_t i) {
    const KinetoKernel& k = kernels_[i];
    std::vector<int> after;
    after.reserve(after_[i].size());
    for (const int before : after_[i]) after.push_back(index_[static_cast<std::size_t>(before)]);
    const double gap = k.start_us - ready_us(i);
    if (gap > 0) {
      RecordedOperation& idle = append(i, "launch gap");
      idle.operation.purpose = Operation::Purpose::LaunchGap;
      idle.operation.duration = microseconds(gap);
      idle.operation.after = after;
      after.clear();  // the stream's order does the rest
    }
    RecordedOperation& recorded = append(i, k.name);
    index_.push_back(static_cast<int>(operations_.size()) - 1);
    recorded.start = microseconds(k.start_us - origin_us_);
    recorded.duration = microseconds(k.duration_us);
    recorded.operation.after = std::move(after);
    if (const std::optional<KinetoMeaning>& meaning = meanings_[i]) {
      recorded.operation.kind = Operation::Kind::Communicate;
      recorded.operation.collective = meaning->kind;
      recorded.operation.size = meaning->size;
      recorded.operation.group = Group{meaning->group};
    } else {
      recorded.operation.duration = recorded.duration;
    }
  }

  RecordedOperation& append(std::size_t i, const std::string& name) {
    RecordedOperation& recorded = operations_.emplace_back();
    recorded.place = kernels_[i].event;
    recorded.operation.name = name;
    recorded.operation.stream = stream_[i];
    return recorded;
  }

  const std::vector<KinetoKernel>& kernels_;
  const KinetoMeanings& meanings_;
  double origin_us_;
  std::size_t streams_ = 0;
  std::vector<int> stream_, previous_;   // by kernel: its stream; the one before on it
  std::vector<std::vector<int>> after_;  // by kernel, of other streams
  std::vector<int> index_;               // by kernel: its operation
  std::vector<RecordedOperation> operations_;
};

}  // namespace

std::vector<RecordedOperation> operations_of(const std::vector<KinetoKernel>& kernels,
                                             const KinetoMeanings& meanings, double origin_us) {
  return Maker(kernels, meanings, origin_us).make();
}

}  // namespace trainyard

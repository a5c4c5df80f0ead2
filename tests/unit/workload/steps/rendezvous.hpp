// Plays a JobProgram on paper: every rank, every stream, a collective when all of its process group
// have come to it. No network: a collective takes as long as the test says.
#pragma once

#include "workload/models/model_spec.hpp"
#include "workload/steps/job_program.hpp"
#include "workload/steps/kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace trainyard::testing {

// A GPU of one peak and one bandwidth: a kernel takes as long as the slower of the two says.
struct PeakTimes final : KernelTimes {
  double flops = 1e15, bytes_per_second = 3e12;
  Seconds of(const Kernel& kernel) const override {
    return Seconds(std::max(kernel.flops / flops, kernel.bytes / bytes_per_second));
  }
};

struct Played {
  double end = 0;                         // of the last operation
  std::vector<std::vector<double>> ends;  // by rank and operation; negative: never
  std::string stuck;                      // the first operation that never ended, or ""
  std::vector<double> computed;           // by rank
};

class Rendezvous {
public:
  using CollectiveTime = std::function<double(const Operation&)>;
  explicit Rendezvous(const JobProgram& job, CollectiveTime time = {})
      : job_(job), time_(std::move(time)) {}

  Played play() {
    prepare();
    while (!ready_.empty()) {
      const auto [rank, i] = ready_.back();
      ready_.pop_back();
      come_to(rank, i);
    }
    note_what_is_left();
    return std::move(played_);
  }

private:
  struct At {
    std::size_t rank, operation;
  };
  struct Meeting {
    std::size_t arrived = 0;
    double latest = 0;
    std::vector<At> members;
  };

  const Program& program(std::size_t rank) const {
    return job_.programs[static_cast<std::size_t>(job_.ranks[rank].program)];
  }

  void prepare() {
    for (const Program& each : job_.programs) {
      followers_.emplace_back(each.operations.size());
      waits_.emplace_back(each.operations.size(), 0);
      std::map<int, std::size_t> last;
      for (std::size_t i = 0; i < each.operations.size(); ++i) {
        const Operation& operation = each.operations[i];
        for (const int p : operation.after) add_wait(static_cast<std::size_t>(p), i);
        if (last.count(operation.stream) > 0) add_wait(last[operation.stream], i);
        last[operation.stream] = i;
      }
    }
    const std::size_t ranks = job_.ranks.size();
    played_.ends.resize(ranks);
    played_.computed.assign(ranks, 0);
    missing_.resize(ranks);
    start_.resize(ranks);
    turn_.resize(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const std::size_t count = program(rank).operations.size();
      played_.ends[rank].assign(count, -1);
      start_[rank].assign(count, 0);
      missing_[rank] = waits_[static_cast<std::size_t>(job_.ranks[rank].program)];
      turn_[rank].assign(job_.slots.size(), 0);
      for (std::size_t i = 0; i < count; ++i)
        if (missing_[rank][i] == 0) ready_.push_back({rank, i});
    }
  }

  void add_wait(std::size_t before, std::size_t i) {
    followers_.back()[before].push_back(i);
    ++waits_.back()[i];
  }

  void come_to(std::size_t rank, std::size_t i) {
    const Operation& operation = program(rank).operations[i];
    if (operation.kind == Operation::Kind::Compute) {
      played_.computed[rank] += operation.duration.si();
      return end({rank, i}, start_[rank][i] + operation.duration.si());
    }
    const auto slot = static_cast<std::size_t>(operation.group);
    const int group = job_.ranks[rank].groups[slot];
    ASSERT_GE(group, 0) << operation.name;
    Meeting& meeting = meetings_[{group, turn_[rank][slot]++}];
    meeting.latest = std::max(meeting.latest, start_[rank][i]);
    meeting.members.push_back({rank, i});
    if (meeting.members.size() < job_.groups[static_cast<std::size_t>(group)].ranks.size()) return;
    for (const At at : meeting.members) {
      const Operation& other = program(at.rank).operations[at.operation];
      EXPECT_EQ(other.collective, operation.collective) << operation.name << " / " << other.name;
      EXPECT_EQ(other.size, operation.size) << operation.name << " / " << other.name;
      end(at, meeting.latest + (time_ ? time_(operation) : 0));
    }
  }

  void end(At at, double when) {
    played_.ends[at.rank][at.operation] = when;
    played_.end = std::max(played_.end, when);
    const auto which = static_cast<std::size_t>(job_.ranks[at.rank].program);
    for (const std::size_t follower : followers_[which][at.operation]) {
      double& start = start_[at.rank][follower];
      start = std::max(start, when);
      if (--missing_[at.rank][follower] == 0) ready_.push_back({at.rank, follower});
    }
  }

  void note_what_is_left() {
    for (std::size_t rank = 0; rank < job_.ranks.size() && played_.stuck.empty(); ++rank)
      for (std::size_t i = 0; i < played_.ends[rank].size(); ++i)
        if (played_.ends[rank][i] < 0) {
          played_.stuck = "rank " + std::to_string(rank) + ": " + program(rank).operations[i].name;
          break;
        }
  }

  const JobProgram& job_;
  CollectiveTime time_;
  Played played_;
  std::vector<std::vector<std::vector<std::size_t>>> followers_;  // by program and operation
  std::vector<std::vector<int>> waits_;
  std::vector<std::vector<int>> missing_;  // by rank and operation
  std::vector<std::vector<double>> start_;
  std::vector<std::vector<int>> turn_;  // by rank and slot
  std::vector<At> ready_;
  std::map<std::pair<int, int>, Meeting> meetings_;
};

// ---- Small models and layouts ----

inline ModelSpec small_gpt() {
  ModelSpec model;
  model.name = "small";
  model.layers = 8;
  model.hidden = 1024;
  model.heads = model.key_value_heads = 16;
  model.head_dim = model.value_dim = 64;
  model.ffn = 4096;
  model.vocabulary = 51200;
  model.sequence = 512;
  model.biases = model.dropout = true;
  model.tied_embeddings = true;
  model.positions = Positions::Learned;
  model.norm = Norm::Layer;
  return model;
}

inline ModelSpec small_moe() {
  ModelSpec model = small_gpt();
  model.biases = model.dropout = model.tied_embeddings = false;
  model.gated = true;
  model.positions = Positions::Rotary;
  model.norm = Norm::Rms;
  model.key_value_heads = 8;
  model.experts = {16, 2, 2048, 1024, 2, 0};
  return model;
}

inline const Program& program_of(const JobProgram& job, int rank) {
  return job.programs[static_cast<std::size_t>(job.ranks[static_cast<std::size_t>(rank)].program)];
}

}  // namespace trainyard::testing

#include "actors/explain/standstill.hpp"

#include <algorithm>

namespace trainyard {

namespace {

using Waiting = ProgramPlayer::Waiting;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class Standstill {
public:
  Standstill(const StepModel& model, const std::vector<Waiting>& waiting)
      : model_(model), waiting_(waiting) {}

  std::string describe() const {
    std::vector<int> seen;
    const Waiting* waiter = &*std::min_element(
        waiting_.begin(), waiting_.end(),
        [](const Waiting& a, const Waiting& b) { return a.rank_class < b.rank_class; });
    std::string text;
    while (true) {
      seen.push_back(waiter->rank_class);
      text += rank_name(waiter->rank_class) + " waits in " + where(*waiter) + " for ";
      const int missing = absent(channel_of(*waiter));
      if (missing < 0) return text + "a rank that lists fewer collectives there";
      text += rank_name(missing);
      const bool closed = std::find(seen.begin(), seen.end(), missing) != seen.end();
      waiter = of_class(missing);
      if (closed) return text;
      if (!waiter) return text + ", which has nothing more to do in this step";
      text += ";\n  ";
    }
  }

private:
  int channel_of(const Waiting& waiting) const {
    return model_.classes[at(waiting.rank_class)].operations[at(waiting.operation)].channel;
  }

  std::string rank_name(int rank_class) const {
    const std::vector<int>& ranks = model_.classes[at(rank_class)].ranks;
    const std::string first = "rank " + std::to_string(ranks.front());
    return ranks.size() == 1 ? first
                             : first + " (and " + std::to_string(ranks.size() - 1) + " alike)";
  }

  std::string where(const Waiting& waiting) const {
    const PlayOperation& play =
        model_.classes[at(waiting.rank_class)].operations[at(waiting.operation)];
    const std::string& communicator = model_.channels[at(play.channel)].name;
    const std::string name =
        play.label < 0 ? "a collective" : "'" + model_.labels[at(play.label)].name + "'";
    return communicator.empty() ? name : name + " on " + communicator;
  }

  // The lowest class that the collective needs and that has not come to it; -1: no class lists it.
  int absent(int channel) const {
    for (std::size_t c = 0; c < model_.classes.size(); ++c) {
      const auto& operations = model_.classes[c].operations;
      for (std::size_t o = 0; o < operations.size(); ++o) {
        if (operations[o].channel != channel) continue;
        const auto here = [&](const Waiting& w) {
          return w.rank_class == static_cast<int>(c) && w.operation == static_cast<int>(o);
        };
        if (std::none_of(waiting_.begin(), waiting_.end(), here)) return static_cast<int>(c);
      }
    }
    return -1;
  }

  const Waiting* of_class(int rank_class) const {
    const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                    [&](const Waiting& w) { return w.rank_class == rank_class; });
    return found == waiting_.end() ? nullptr : &*found;
  }

  const StepModel& model_;
  const std::vector<Waiting>& waiting_;
};

}  // namespace

std::string describe_standstill(const StepModel& model, const std::vector<Waiting>& waiting) {
  return Standstill(model, waiting).describe();
}

}  // namespace trainyard

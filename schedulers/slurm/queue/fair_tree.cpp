#include "schedulers/slurm/queue/fair_tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace trainyard::slurm {

namespace {

class FairTree {
public:
  FairTree(const std::vector<SlurmAssociation>& associations, const std::vector<double>& usage,
           FairTreeTies ties)
      : associations_(associations),
        usage_(usage),
        ties_(ties),
        children_(associations.size()),
        level_(associations.size()),
        factors_(associations.size()) {
    for (std::size_t i = 0; i < associations.size(); ++i) {
      if (!associations[i].user.empty()) ++users_;
      if (associations[i].parent >= 0)
        children_[static_cast<std::size_t>(associations[i].parent)].push_back(i);
    }
    for (std::size_t i = 0; i < associations.size(); ++i) level_[i] = level_fair_share(i);
    rank_ = next_rank_ = users_;
  }

  std::vector<double> rank() {
    if (!associations_.empty()) walk(children_[0], /*account_tied=*/false);
    return std::move(factors_);
  }

private:
  static constexpr double kInfinite = std::numeric_limits<double>::infinity();

  bool is_user(std::size_t i) const { return !associations_[i].user.empty(); }

  // Its shares among its siblings over its usage among them.
  double level_fair_share(std::size_t i) const {
    const SlurmAssociation& association = associations_[i];
    if (association.parent < 0) return kInfinite;
    if (is_user(i) && association.shares_of_parent) return kInfinite;
    const auto parent = static_cast<std::size_t>(association.parent);
    double all = 0;
    for (const std::size_t sibling : children_[parent]) all += associations_[sibling].shares;
    const double shares = all > 0 ? association.shares / all : 0;
    const double usage = usage_[parent] > 0 ? usage_[i] / usage_[parent] : 0;
    if (shares == 0) return 0;
    return usage == 0 ? kInfinite : shares / usage;
  }

  // Depth first; a tie shares its rank, and the next user skips. The first child of an account that
  // ties with the sibling before it counts as tied too.
  void walk(std::vector<std::size_t> siblings, bool account_tied) {
    std::stable_sort(siblings.begin(), siblings.end(), [&](std::size_t a, std::size_t b) {
      if (level_[a] != level_[b]) return level_[a] > level_[b];
      return is_user(a) && !is_user(b);
    });
    bool tied = account_tied;
    for (std::size_t i = 0; i < siblings.size();) {
      if (i > 0) tied = level_[siblings[i]] == level_[siblings[i - 1]];
      if (is_user(siblings[i])) {
        give_rank(siblings[i++], tied);
        continue;
      }
      std::vector<std::size_t> below = children_[siblings[i]];
      std::size_t next = i + 1;
      while (ties_ == FairTreeTies::Documented && next < siblings.size() &&
             level_[siblings[next]] == level_[siblings[i]]) {
        const auto& more = children_[siblings[next++]];
        below.insert(below.end(), more.begin(), more.end());
      }
      walk(std::move(below), tied);
      i = next;
    }
  }

  void give_rank(std::size_t user, bool tied) {
    if (!tied) rank_ = next_rank_;
    factors_[user] = static_cast<double>(rank_) / users_;
    --next_rank_;
  }

  const std::vector<SlurmAssociation>& associations_;
  const std::vector<double>& usage_;
  FairTreeTies ties_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<double> level_, factors_;
  int users_ = 0, rank_ = 0, next_rank_ = 0;
};

}  // namespace

std::vector<double> fair_tree(const std::vector<SlurmAssociation>& associations,
                              const std::vector<double>& raw_usage, FairTreeTies ties) {
  return FairTree(associations, raw_usage, ties).rank();
}

}  // namespace trainyard::slurm

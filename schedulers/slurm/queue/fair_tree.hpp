// Fair Tree: users ranked by a walk through the tree of accounts, the least used first.
#pragma once

#include "schedulers/slurm/site/accounting.hpp"

#include <vector>

namespace trainyard::slurm {

// Of siblings whose level is equal the documentation merges the children of accounts; Slurm's code,
// as read, never does. Which of the two: no live cluster has confirmed either.
enum class FairTreeTies { AsRead, Documented };

// The fair-share factor in (0, 1] of each association that is a user; 0 for accounts.
// `raw_usage`: of each association, an account's including all below it.
std::vector<double> fair_tree(const std::vector<SlurmAssociation>& associations,
                              const std::vector<double>& raw_usage,
                              FairTreeTies ties = FairTreeTies::AsRead);

}  // namespace trainyard::slurm

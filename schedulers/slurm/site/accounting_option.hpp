// key=value of accounts, users and qualities of service, as sacctmgr has them.
#pragma once

#include "base/error.hpp"
#include "schedulers/slurm/site/accounting.hpp"
#include "schedulers/slurm/site/conf/conf_lines.hpp"

#include <string>

namespace trainyard::slurm {

struct AccountingOption {
  std::string key, value;
  Place place;
};

void take_qos_option(SlurmQos& qos, const AccountingOption& option);
void take_association_option(SlurmAssociation& association, const AccountingOption& option);

}  // namespace trainyard::slurm

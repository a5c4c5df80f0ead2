// Reading a site: slurm.conf, and beside it gres.conf, topology.conf and the accounts.
#pragma once

#include "schedulers/slurm/site/site.hpp"

#include <string>

namespace trainyard::slurm {

struct SiteFiles {
  std::string slurm_conf;
  std::string gres_conf, accounts;  // "": none
  std::string topology_conf;        // or topology.yaml
};

// The files of these names beside `folder`/slurm.conf, and "db_setup.txt" for the accounts.
SiteFiles site_files(const std::string& folder);

SlurmSite read_site(const SiteFiles& files, SlurmVersion version = kSlurm2205);

// One file each; the site is filled in this order.
void read_slurm_conf(SlurmSite& site, const std::string& file, const std::string& text);
void read_gres_conf(SlurmSite& site, const std::string& file, const std::string& text);
void read_topology_conf(SlurmSite& site, const std::string& file, const std::string& text);
void read_topology_yaml(SlurmSite& site, const std::string& file, const std::string& text);
void read_sacctmgr_lines(SlurmSite& site, const std::string& file, const std::string& text);

}  // namespace trainyard::slurm

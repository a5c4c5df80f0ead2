#include "schedulers/slurm/site/read_site.hpp"

#include "base/error.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace trainyard::slurm {

namespace {

std::string text_of(const std::string& file) {
  std::ifstream input(file, std::ios::binary);
  if (!input) throw InputError({file}, "", "cannot be read");
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

}  // namespace

SiteFiles site_files(const std::string& folder) {
  const auto beside = [&](const char* name) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    return std::filesystem::exists(path) ? path.string() : std::string();
  };
  SiteFiles files;
  files.slurm_conf = (std::filesystem::path(folder) / "slurm.conf").string();
  files.gres_conf = beside("gres.conf");
  files.topology_conf = beside("topology.yaml");  // Slurm looks for it first
  if (files.topology_conf.empty()) files.topology_conf = beside("topology.conf");
  files.accounts = beside("db_setup.txt");
  return files;
}

SlurmSite read_site(const SiteFiles& files, SlurmVersion version) {
  SlurmSite site;
  site.parameters.version = version;
  read_slurm_conf(site, files.slurm_conf, text_of(files.slurm_conf));
  if (!files.gres_conf.empty()) read_gres_conf(site, files.gres_conf, text_of(files.gres_conf));
  const SlurmParameters& parameters = site.parameters;
  if (std::filesystem::path(files.topology_conf).extension() == ".yaml")
    read_topology_yaml(site, files.topology_conf, text_of(files.topology_conf));
  else if (!files.topology_conf.empty() && (parameters.topology_tree || parameters.topology_block))
    read_topology_conf(site, files.topology_conf, text_of(files.topology_conf));
  if (parameters.accounting)
    read_sacctmgr_lines(site, files.accounts,
                        files.accounts.empty() ? std::string() : text_of(files.accounts));
  return site;
}

}  // namespace trainyard::slurm

#include "study/slurm_reader.hpp"

#include "base/text.hpp"
#include "config/bounds.hpp"
#include "schedulers/slurm/site/conf/conf_lines.hpp"
#include "schedulers/slurm/site/read_site.hpp"

#include <algorithm>

namespace trainyard {

namespace {

using slurm::SlurmSetup;
using slurm::SlurmSite;
using slurm::SlurmVersion;

SlurmVersion read_version(Section& site) {
  const std::string said = site.text("slurm_version");
  const std::size_t dot = said.find('.');
  const auto year = parse_integer(said.substr(0, dot));
  const auto month =
      dot == std::string::npos ? std::nullopt : parse_integer(said.substr(dot + 1, 2));
  if (!year || !month || *year < 22 || *year > 99 || *month < 1 || *month > 12 ||
      (*year == 22 && *month < 5))
    throw site.error("slurm_version", "must be 22.05 or newer, got '" + printable(said) + "'");
  return {static_cast<int>(*year), static_cast<int>(*month)};
}

bool names_any(const std::vector<std::string>& lines, const std::string& key) {
  return std::any_of(lines.begin(), lines.end(), [&key](const std::string& line) {
    return slurm::same_key(std::string(trim(line).substr(0, key.size())), key);
  });
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// Item 3 of the list is line 3 of "experiment.yaml, scheduler.site.parameters".
std::string lines_at(const Section& site, const std::string& key) {
  return site.place(key).file + ", " + site.path(key);
}

SlurmSite site_of_lines(Section& site, const Platform& platform, SlurmVersion version) {
  const std::vector<std::string> lines = site.texts("parameters");
  std::string text = joined(lines);
  if (!names_any(lines, "NodeName")) text += slurm::conf_of(platform);
  if (!names_any(lines, "PartitionName"))
    text += "PartitionName=all Default=YES Nodes=ALL MaxTime=INFINITE State=UP\n";
  if (site.has("accounting")) text += "AccountingStorageType=accounting_storage/slurmdbd\n";
  SlurmSite read;
  read.parameters.version = version;
  slurm::read_slurm_conf(read, lines_at(site, "parameters"), text);
  return read;
}

SlurmSite site_of_files(Section& site, const PathResolver& resolve, SlurmVersion version) {
  slurm::SiteFiles files;
  files.slurm_conf = resolve(site.text("slurm_conf"));
  if (const auto gres = site.maybe_text("gres_conf")) files.gres_conf = resolve(*gres);
  if (const auto topology = site.maybe_text("topology_conf"))
    files.topology_conf = resolve(*topology);
  SlurmSite read = slurm::read_site(files, version);
  if (site.has("accounting") && !read.parameters.accounting)
    throw site.error("accounting",
                     "slurm.conf keeps no accounts: its AccountingStorageType is not "
                     "accounting_storage/slurmdbd");
  read.accounting = {};
  return read;
}

void read_accounting(Section& site, const PathResolver& resolve, SlurmSite& read) {
  if (!read.parameters.accounting) return;
  if (site.is_list("accounting"))
    return slurm::read_sacctmgr_lines(read, lines_at(site, "accounting"),
                                      joined(site.texts("accounting")));
  const auto said = site.maybe_text("accounting");
  const std::string file = said ? resolve(*said) : "";
  slurm::read_sacctmgr_lines(read, file, file.empty() ? "" : read_file(file));
}

void read_commands(Section& site, SlurmSetup& setup) {
  if (!site.has("commands")) return;
  for (Section& command : site.sections("commands")) {
    slurm::GoldenEvent event;
    event.time = in_seconds(bounded_seconds(command, "at"));
    event.action = command.text("do");
    command.finish();
    setup.commands.push_back(event);
  }
  std::stable_sort(setup.commands.begin(), setup.commands.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });
}

// {0: "--partition=low", 2: "--partition=high"}: what a queue's priority of a trace stands for.
void read_priorities(Section& site, SlurmSetup& setup) {
  std::optional<Section> section = site.maybe_section("sbatch_by_priority");
  if (!section) return;
  for (const std::string& key : section->keys()) {
    const auto priority = parse_integer(key);
    if (!priority) throw section->error(key, "must be a job's priority");
    setup.by_priority[*priority] = section->text(key);
  }
  section->finish();
}

}  // namespace

std::shared_ptr<SlurmSetup> read_slurm_site(Section site, const Platform& platform,
                                            const PathResolver& resolve) {
  auto setup = std::make_shared<SlurmSetup>();
  const SlurmVersion version = read_version(site);
  const bool files = site.has("slurm_conf");
  if (files == site.has("parameters"))
    throw site.error("needs either 'slurm_conf', the site's file, or 'parameters', lines of one");
  const std::string from = files ? resolve(site.text("slurm_conf")) : lines_at(site, "parameters");
  setup->site =
      files ? site_of_files(site, resolve, version) : site_of_lines(site, platform, version);
  read_accounting(site, resolve, setup->site);
  setup->node_of = slurm::match_nodes(setup->site, platform, from);
  if (setup->site.parameters.topology_tree && setup->site.switches.empty())
    slurm::add_leaves(setup->site, platform, setup->node_of);
  if (setup->site.parameters.topology_block && setup->site.blocks.empty())
    throw site.error("topology/block needs its blocks: give 'slurm_conf' and 'topology_conf'");
  read_priorities(site, *setup);
  read_commands(site, *setup);
  site.finish();
  return setup;
}

void submit_to(SlurmSetup& setup, const Workload& workload) {
  setup.jobs.reserve(workload.jobs.size());
  for (Job job : workload.jobs) {
    if (const auto stands = setup.by_priority.find(job.priority);
        stands != setup.by_priority.end()) {
      job.sbatch = stands->second + " " + job.sbatch;
      job.priority = 0;
    }
    std::string problem;
    setup.jobs.push_back(slurm::slurm_job(job, job.sbatch, setup.site, problem));
    if (problem.empty()) continue;
    const auto place = workload.sbatch_at.find(job.name);
    throw InputError(place == workload.sbatch_at.end() ? Place{} : place->second,
                     "job " + job.name + ": sbatch", problem);
  }
}

}  // namespace trainyard

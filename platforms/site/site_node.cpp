// What stands in a node: from NCCL's topology file, or from the command line alone.

#include "base/text.hpp"
#include "config/units.hpp"
#include "platforms/site/gpu_models.hpp"
#include "platforms/site/nic_assignment.hpp"
#include "platforms/site/site.hpp"

#include <algorithm>

namespace trainyard {

namespace {

InputError option_error(const char* option, const std::string& problem) {
  return {{}, option, problem};
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const GpuModel& model : gpu_models()) names.emplace_back(model.name);
  return names;
}

const GpuModel* model_of(const SiteOptions& options) {
  if (options.gpu.empty()) return nullptr;
  const GpuModel* model = find_gpu_model(options.gpu);
  if (!model)
    throw option_error(
        "--gpu", "unknown GPU '" + options.gpu + "'" + suggestion(options.gpu, model_names()));
  return model;
}

// NVLink that the user names: --nvlink, or what --gpu has.
void use_options(SiteNode& node, const SiteOptions& options) {
  const GpuModel* model = model_of(options);
  if (model) node.hardware.gpu = model->hardware;
  if (node.kind.gpus == 1) return;
  Bandwidth rate = options.nvlink;
  if (rate == Bandwidth() && model) {
    rate = model->nvlinks * nvlink_rate(model->sm);
    node.hardware.nvlinks_per_gpu = model->nvlinks;
    if (model->nvlinks > 0)
      node.notes.push_back("NVLink of " + options.gpu + ": " + std::to_string(model->nvlinks) +
                           " links x " + to_text(nvlink_rate(model->sm)) +
                           ", NCCL's rate; --nvlink replaces it");
  }
  if (rate > Bandwidth()) node.kind.nvswitch = GraphSpec::Nvswitch{rate, options.nvlink_latency};
}

std::string known_gpus() { return "--gpu (known: " + join(model_names()) + ") or --nvlink RATE"; }

int nvlinks_of(const NcclGpu& gpu) {
  int links = gpu.switch_links;
  for (const auto& [bus, count] : gpu.pair_links) links += count;
  return links;
}

// Throws unless the NVLinks that the file names are of one kind and their rate is known.
void check_nvlinks(const NcclNode& file) {
  const NcclGpu& first = file.gpus.front();
  for (const NcclGpu& gpu : file.gpus) {
    if (gpu.switch_links != first.switch_links)
      throw InputError(gpu.place, "",
                       "GPU " + gpu.bus + " has " + std::to_string(gpu.switch_links) +
                           " NVLinks to switches, GPU " + first.bus + " has " +
                           std::to_string(first.switch_links) + "; all must have as many");
    if (gpu.switch_links > 0 && !gpu.pair_links.empty())
      throw InputError(
          gpu.place, "",
          "GPU " + gpu.bus + " has NVLinks to switches and to GPUs; only one kind is modelled");
    if (nvlinks_of(gpu) > 0 && nvlink_rate(gpu.sm) == Bandwidth())
      throw InputError(
          gpu.place, "",
          "GPU " + gpu.bus + " has NVLinks and no 'sm' of 60 or more, which tells their rate");
  }
}

// NVLink that the file names; false if it names none.
bool use_file(SiteNode& node, const NcclNode& file, const SiteOptions& options) {
  check_nvlinks(file);
  if (std::none_of(file.gpus.begin(), file.gpus.end(),
                   [](const NcclGpu& gpu) { return nvlinks_of(gpu) > 0; }))
    return false;
  const NcclGpu& first = file.gpus.front();
  if (options.nvlink > Bandwidth())
    throw option_error("--nvlink", "contradicts the node's file, which names the NVLinks");
  node.hardware.nvlinks_per_gpu = nvlinks_of(first);
  if (first.switch_links > 0)
    node.kind.nvswitch =
        GraphSpec::Nvswitch{first.switch_links * nvlink_rate(first.sm), options.nvlink_latency};
  for (std::size_t a = 0; a < file.gpus.size(); ++a)
    for (std::size_t b = a + 1; b < file.gpus.size(); ++b) {
      const auto pair = file.gpus[a].pair_links.find(file.gpus[b].bus);
      if (pair != file.gpus[a].pair_links.end())
        node.kind.nvlink.push_back({static_cast<int>(a), static_cast<int>(b),
                                    pair->second * nvlink_rate(file.gpus[a].sm),
                                    options.nvlink_latency});
    }
  return true;
}

// The GPU, which the tuner's tables go by: the user's, or the usual one of the file's compute
// capability.
void name_gpu(SiteNode& site, const NcclNode& file, const SiteOptions& options) {
  const int sm = file.gpus.empty() ? 0 : file.gpus.front().sm;
  if (const GpuModel* model = model_of(options)) {
    if (sm > 0 && model->sm != sm)
      throw option_error("--gpu", "'" + options.gpu + "' has sm " + std::to_string(model->sm) +
                                      ", and the node's file says " + std::to_string(sm));
    site.hardware.gpu = model->hardware;
    return;
  }
  for (const GpuModel& model : gpu_models()) {
    if (model.sm != sm || *model.hardware == '\0') continue;
    site.hardware.gpu = model.hardware;
    site.notes.push_back("sm " + std::to_string(sm) + " is taken for an " + site.hardware.gpu +
                         "; --gpu names another");
    return;
  }
}

void add_nics(SiteNode& site, const NcclNode& node, const SiteOptions& options) {
  const bool named = std::all_of(node.nics.begin(), node.nics.end(),
                                 [](const NcclNic& nic) { return !nic.name.empty(); });
  for (std::size_t i = 0; i < node.nics.size(); ++i) {
    const NcclNic& nic = node.nics[i];
    const std::string name = named ? platform_name(nic.name) : "nic" + std::to_string(i);
    const bool taken = std::any_of(site.kind.nics.begin(), site.kind.nics.end(),
                                   [&](const auto& other) { return other.name == name; });
    site.kind.nics.push_back(
        {taken ? "nic" + std::to_string(i) : name, nic.rate, options.nic_latency, {}});
    if (nic.efa) site.hardware.network = "efa";
  }
  assign_nics(site.kind, node);
  const auto idle = std::count_if(site.kind.nics.begin(), site.kind.nics.end(),
                                  [](const auto& nic) { return nic.gpus.empty(); });
  if (idle > 0) site.notes.push_back(counted(idle, "NIC") + " beside no GPU: carrying nothing");
}

// One switch for every group that has GPUs or NICs, as fast as its slowest slot.
void add_pcie(GraphSpec::NodeKind& kind, const NcclNode& node, const SiteOptions& options) {
  for (std::size_t g = 0; g < node.groups.size(); ++g) {
    GraphSpec::PcieSwitch pcie;
    pcie.latency = options.pcie_latency;
    const auto collect = [&](const auto& devices, std::vector<int>& members) {
      for (std::size_t i = 0; i < devices.size(); ++i) {
        if (devices[i].group != static_cast<int>(g)) continue;
        members.push_back(static_cast<int>(i));
        if (pcie.bandwidth == Bandwidth() || devices[i].pcie < pcie.bandwidth)
          pcie.bandwidth = devices[i].pcie;
      }
    };
    collect(node.gpus, pcie.gpus);
    collect(node.nics, pcie.nics);
    if (!pcie.gpus.empty() || !pcie.nics.empty()) kind.pcie.push_back(std::move(pcie));
  }
}

}  // namespace

SiteNode node_of(const NcclNode& node, const SiteOptions& options) {
  SiteNode site;
  site.kind.name = "node";
  site.kind.gpus = static_cast<int>(node.gpus.size());
  site.notes = node.notes;
  site.hardware.cpu_vendor = node.cpu_vendor;
  if (options.gpus_per_node > 0)
    throw option_error("--gpus-per-node",
                       "the node's file says: " + std::to_string(site.kind.gpus));
  if (options.nics_per_node > 0)
    throw option_error("--nics-per-node",
                       "the node's file says: " + std::to_string(node.nics.size()));
  if (!use_file(site, node, options)) use_options(site, options);
  name_gpu(site, node, options);
  if (!site.kind.nvswitch && site.kind.nvlink.empty() && site.kind.gpus > 1) {
    if (!node.filled_in && options.gpu.empty())
      throw InputError(node.place, "",
                       "the file names " + counted(site.kind.gpus, "GPU") +
                           " by their PCI class only; what NVLink they have must come from " +
                           known_gpus());
    site.notes.emplace_back("no NVLink: GPUs meet over PCIe");
  }
  add_nics(site, node, options);
  add_pcie(site.kind, node, options);
  return site;
}

SiteNode node_of(const SiteOptions& options) {
  if (options.gpus_per_node == 0)
    throw option_error("--gpus-per-node",
                       "is missing: without a node's file, say how many GPUs a node has");
  SiteNode site;
  site.kind.name = "node";
  site.kind.gpus = options.gpus_per_node;
  use_options(site, options);
  if (!site.kind.nvswitch && site.kind.gpus > 1)
    throw option_error(
        options.gpu.empty() ? "--gpu" : "--nvlink",
        options.gpu.empty()
            ? "is missing: how the GPUs of a node are joined must come from a node's file, " +
                  known_gpus()
            : "is missing: '" + options.gpu + "' has no NVLink of its own");
  return site;
}

}  // namespace trainyard

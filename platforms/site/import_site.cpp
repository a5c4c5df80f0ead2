#include "platforms/site/import_site.hpp"

#include "base/text.hpp"
#include "config/section.hpp"
#include "platforms/importers/registry.hpp"

namespace trainyard {

namespace {

template <typename T>
std::int64_t number(const std::vector<T>& things) {
  return static_cast<std::int64_t>(things.size());
}

std::string summary(const NcclNode& node) {
  return counted(number(node.gpus), "GPU") + ", " + counted(number(node.nics), "NIC");
}

std::string summary(const Fabric& fabric) {
  std::int64_t ports = 0;
  for (const Fabric::Host& host : fabric.hosts) ports += number(host.ports);
  const std::string text =
      counted(number(fabric.hosts), "host") + ", " + counted(number(fabric.switches), "switch");
  if (!fabric.cables_listed) return text + "; cables are not listed";
  return text + ", " + counted(ports, "cable") + " of hosts, " +
         std::to_string(fabric.cables.size()) + " between switches";
}

// Reads the file into the one of `node` and `fabric` that it describes.
std::string read(const SiteFile& file, std::optional<NcclNode>& node,
                 std::optional<Fabric>& fabric) {
  const std::string text = read_file(file.path);
  const ImporterEntry& importer = importer_for(file.path, text, file.format);
  if (importer.read_node ? node.has_value() : fabric.has_value())
    throw InputError({file.path}, "",
                     std::string("is a second file of a ") +
                         (importer.read_node ? "node" : "fabric") + "; one is joined with one");
  const std::string head = file.path + ": " + importer.name + ": ";
  if (importer.read_node) return head + summary(node.emplace(importer.read_node(file.path, text)));
  return head + summary(fabric.emplace(importer.read_fabric(file.path, text)));
}

}  // namespace

ImportedSite import_site(const std::vector<SiteFile>& files, const SiteOptions& options) {
  std::optional<NcclNode> node;
  std::optional<Fabric> fabric;
  ImportedSite imported;
  for (const SiteFile& file : files) imported.understood.push_back(read(file, node, fabric));
  imported.site = join_site(node, fabric, options);
  return imported;
}

}  // namespace trainyard

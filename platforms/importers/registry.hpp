// Every format that a site's files may have. `trainyard list` prints it; the tests of damaged files
// run over it.
#pragma once

#include "platforms/importers/nccl_topology.hpp"
#include "platforms/site/fabric.hpp"

#include <string>
#include <vector>

namespace trainyard {

// Reads what stands in a node, or else a fabric: one of the two functions is null.
struct ImporterEntry {
  const char* name;
  NcclNode (*read_node)(const std::string& file, const std::string& text);
  Fabric (*read_fabric)(const std::string& file, const std::string& text);
  bool (*recognises)(const std::string& text);  // by content; at most one format does
  const char* sentence;
};

const std::vector<ImporterEntry>& importers();

// The entry of that name, or, if it is empty, the one that recognises the text.
const ImporterEntry& importer_for(const std::string& file, const std::string& text,
                                  const std::string& format);

}  // namespace trainyard

// A site's files, read and joined.
#pragma once

#include "platforms/site/site.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct SiteFile {
  std::string path;
  std::string format;  // empty: by content
};

struct ImportedSite {
  Site site;
  std::vector<std::string> understood;  // a sentence for each file
};

// At most one file describes a node and at most one a fabric.
ImportedSite import_site(const std::vector<SiteFile>& files, const SiteOptions& options);

}  // namespace trainyard

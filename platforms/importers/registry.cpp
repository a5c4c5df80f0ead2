#include "platforms/importers/registry.hpp"

#include "base/text.hpp"
#include "platforms/importers/ibnetdiscover.hpp"
#include "platforms/importers/lingjun_topology.hpp"
#include "platforms/importers/slurm_topology.hpp"

#include <algorithm>
#include <cctype>

namespace trainyard {

namespace {

bool holds(const std::string& text, const char* word) {
  return text.find(word) != std::string::npos;
}

// Whether a line begins with one of these words, in small letters.
bool a_line_begins(const std::string& text, const std::vector<std::string>& words) {
  for (std::size_t at = 0; at < text.size();) {
    at = std::min(text.find_first_not_of(" \t", at), text.size());
    for (const std::string& word : words) {
      const std::string_view here = std::string_view(text).substr(at, word.size());
      if (std::equal(here.begin(), here.end(), word.begin(), word.end(), [](char a, char b) {
            return std::tolower(static_cast<unsigned char>(a)) == b;
          }))
        return true;
    }
    const std::size_t end = text.find('\n', at);
    at = end == std::string::npos ? text.size() : end + 1;
  }
  return false;
}

bool is_xml(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string::npos && text[first] == '<';
}

bool is_nccl(const std::string& text) { return is_xml(text) && !holds(text, "<platform"); }

bool is_slurm(const std::string& text) {
  return a_line_begins(text, {"switchname=", "blockname="});
}

bool is_lingjun(const std::string& text) { return a_line_begins(text, {"ip,dsw"}); }

bool is_ibnetdiscover(const std::string& text) {
  return !is_xml(text) && !is_slurm(text) &&
         a_line_begins(text, {"vendid=", "switch\t", "switch ", "ca\t", "ca ", "sw "});
}

Fabric read_ibnetdiscover(const std::string& file, const std::string& text) {
  return to_fabric(parse_ibnetdiscover(file, text));
}
Fabric read_slurm(const std::string& file, const std::string& text) {
  return to_fabric(parse_slurm_topology(file, text));
}
Fabric read_lingjun(const std::string& file, const std::string& text) {
  return to_fabric(parse_lingjun_topology(file, text));
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const ImporterEntry& entry : importers()) names.emplace_back(entry.name);
  return names;
}

}  // namespace

const std::vector<ImporterEntry>& importers() {
  static const std::vector<ImporterEntry> entries = {
      {"nccl", parse_nccl_topology, nullptr, is_nccl,
       "a node: NCCL's topology XML (NCCL_TOPO_DUMP_FILE), or a cloud's of PCIe only"},
      {"ibnetdiscover", nullptr, read_ibnetdiscover, is_ibnetdiscover,
       "a fabric: what ibnetdiscover or ibnetdiscover -p prints, with rates and names"},
      {"slurm", nullptr, read_slurm, is_slurm,
       "a fabric: Slurm's topology.conf, tree or block; speeds are options"},
      {"lingjun", nullptr, read_lingjun, is_lingjun,
       "a fabric: topo.csv of Alibaba's Lingjun 2023 trace; speeds are options"},
  };
  return entries;
}

const ImporterEntry& importer_for(const std::string& file, const std::string& text,
                                  const std::string& format) {
  for (const ImporterEntry& entry : importers())
    if (format.empty() ? entry.recognises(text) : format == entry.name) return entry;
  if (!format.empty())
    throw InputError({}, "--format",
                     "unknown format '" + format + "'" + suggestion(format, names()));
  if (is_xml(text)) throw InputError({file}, "", "is a platform file already: use it as it is");
  throw InputError(
      {file}, "",
      "is in none of the known formats (" + join(names()) + "); --format NAME tries one of them");
}

}  // namespace trainyard

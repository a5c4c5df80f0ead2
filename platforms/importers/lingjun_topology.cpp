#include "platforms/importers/lingjun_topology.hpp"

#include "base/text.hpp"
#include "platforms/importers/line_cursor.hpp"

#include <map>
#include <utility>

namespace trainyard {

namespace {

const std::vector<std::string> kColumns = {"ip", "DSW", "PSW", "ASW"};

// The cells of a line, each with something in it.
std::vector<std::string_view> cells(const std::string& file, const TextLine& line) {
  LineCursor cursor(file, line);
  std::vector<std::string_view> cells;
  do {
    cursor.skip_space();
    const std::string_view cell = trim(cursor.up_to(","));
    if (cell.empty())
      throw cursor.error("column " + std::to_string(cells.size() + 1) + " is empty");
    cells.push_back(cell);
  } while (cursor.accept(','));
  if (cells.size() != kColumns.size())
    throw InputError({file, line.number}, "",
                     "expected " + std::to_string(kColumns.size()) + " columns, found " +
                         std::to_string(cells.size()));
  return cells;
}

void check_header(const std::string& file, const TextLine& line) {
  const std::vector<std::string_view> found = cells(file, line);
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i] != kColumns[i])
      throw LineCursor(file, line)
          .error_at(found[i], "column " + std::to_string(i + 1) + " must be '" + kColumns[i] +
                                  "', found '" + printable(found[i]) + "'");
}

// Switches by the path that leads to them, each with one cable to its parent.
class Tree {
public:
  // The switch of that path; its parent is that of the path without the last name.
  std::size_t add(const std::vector<std::string>& path, const Place& place) {
    const auto [found, added] = index_.emplace(path, fabric.switches.size());
    if (!added) return found->second;
    const std::size_t index = found->second;
    fabric.switches.push_back({join(path, "-"), place});
    if (path.size() > 1)
      fabric.cables.push_back({index, add({path.begin(), path.end() - 1}, place), {}, place});
    return index;
  }
  Fabric fabric;

private:
  std::map<std::vector<std::string>, std::size_t> index_;
};

}  // namespace

std::vector<LingjunHost> parse_lingjun_topology(const std::string& file, const std::string& text) {
  std::vector<LingjunHost> hosts;
  std::map<std::string, int> lines;
  bool header = true;
  for (const TextLine& line : lines_of(file, text)) {
    if (trim(line.text).empty()) continue;
    if (std::exchange(header, false)) {
      check_header(file, line);
      continue;
    }
    const std::vector<std::string_view> found = cells(file, line);
    LingjunHost host{std::string(found[0]), std::string(found[1]), std::string(found[2]),
                     std::string(found[3]), LineCursor(file, line).place_of(found[0])};
    const auto [first, added] = lines.emplace(host.ip, line.number);
    if (!added)
      throw InputError(host.place, "",
                       "host '" + printable(host.ip) + "' stands a second time, first at line " +
                           std::to_string(first->second));
    hosts.push_back(std::move(host));
  }
  if (hosts.empty()) throw InputError({file}, "", "names no host");
  return hosts;
}

Fabric to_fabric(const std::vector<LingjunHost>& hosts) {
  Tree tree;
  for (const LingjunHost& host : hosts) {
    const std::size_t leaf = tree.add({host.core, host.aggregation, host.leaf}, host.place);
    tree.fabric.hosts.push_back({host.ip, {{"", leaf, {}, host.place}}, host.place});
  }
  return std::move(tree.fabric);
}

}  // namespace trainyard

// An overview in words.

#include "base/text.hpp"
#include "platforms/drawing/overview.hpp"

#include <cstdio>

namespace trainyard {

namespace {

double four_digits(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g", value);
  return parse_double(text).value_or(value);
}

std::string in_brackets(Bandwidth rate) { return " (" + readable(rate) + ")"; }

}  // namespace

std::string readable(Bandwidth rate) {
  const double bytes = in_bytes_per_second(rate);
  if (bytes >= 1e12) return shortest(four_digits(bytes / 1e12)) + " TB/s";
  if (bytes >= 1e9) return shortest(four_digits(bytes / 1e9)) + " GB/s";
  return shortest(four_digits(bytes / 1e6)) + " MB/s";
}

std::string shortened(const std::string& name, std::size_t most) {
  if (name.size() <= most) return name;
  const auto inside = [&](std::size_t at) {  // of a character of several bytes
    return (static_cast<unsigned char>(name[at]) & 0xc0U) == 0x80;
  };
  std::size_t head = most / 3, tail = name.size() - (most - 2 - head);
  while (head > 0 && inside(head)) --head;
  while (tail < name.size() && inside(tail)) ++tail;
  return name.substr(0, head) + ".." + name.substr(tail);
}

std::string description(const SwitchRow& row) {
  std::vector<std::string> parts;
  if (row.nics > 0) parts.push_back(counted(row.nics, "NIC") + in_brackets(row.from_nics));
  if (row.down > 0)
    parts.push_back(std::to_string(row.down) + " down" + in_brackets(row.from_below));
  if (row.across > 0) parts.push_back(std::to_string(row.across) + " across");
  if (row.up > 0) {
    parts.push_back(std::to_string(row.up) + " up to " + counted(row.parents, "switch") +
                    in_brackets(row.upwards));
    const double ratio = (row.from_nics + row.from_below) / row.upwards;
    if (ratio > 0) parts.push_back(shortest(four_digits(ratio)) + ":1");
  }
  return parts.empty() ? "no cable" : join(parts);
}

std::string description(const NodeRow& row) {
  std::string text = counted(row.gpus, "GPU");
  if (row.gpus > 1 && row.nvlink > Bandwidth())
    text += std::string(row.pairs ? " by NVLink" : " on NVLink") + in_brackets(row.nvlink);
  if (row.pcie > Bandwidth()) text += ", PCIe" + in_brackets(row.pcie);
  if (row.nics > 0) text += ", " + counted(row.nics, "NIC") + in_brackets(row.from_nics);
  return text;
}

}  // namespace trainyard

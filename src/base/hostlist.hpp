// Slurm's hostlists: "n[001-064,070],login1", "rack[1-2]n[01-18]".
//
// The names come in the order of the text; of several brackets in one name the last runs fastest. A
// range is padded to the width of its first number: [08-11] is 08 09 10 11. Both ends are included.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

struct Hostlist {
  std::vector<std::string> names;
  std::string problem;  // empty if the text is a hostlist; otherwise there are no names
  std::size_t at = 0;   // the offset in the text at which the problem stands
};

// A typing error must not fill the memory: more names than this are a problem.
constexpr std::size_t kMostHosts = 1'000'000;

// `also`: characters that names may have beside letters, digits, '-', '_' and '.'.
Hostlist expand_hostlist(std::string_view text, std::string_view also = "");

// The shortest of its kind for these names, each once, in their order by prefix and number:
// "n[001-064,070],login1". Only the last number of a name becomes a range.
std::string compress_hostlist(const std::vector<std::string>& names);

}  // namespace trainyard

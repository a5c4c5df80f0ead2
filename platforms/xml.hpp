// Platform files: SimGrid platform XML that names a fabric by properties.
//
// A file with <zone routing="None"> and <prop>s names a topology of the registry, which builds it.
// A file with <cluster>, <host> or <link> is a plain SimGrid platform: is_plain_simgrid() says so,
// and network/plain_platform lets SimGrid load it. pugixml stays behind this header.
#pragma once

#include "platforms/platform.hpp"
#include "platforms/properties.hpp"

#include <string>
#include <utility>
#include <vector>

namespace trainyard {

// Throws InputError if the file cannot be read or is not XML.
bool is_plain_simgrid(const std::string& file);

// `overrides`: property id and value, each with the place where the user wrote it.
// A calibration that ends in .csv is a file beside this one.
Platform load_platform(
    const std::string& file,
    const std::vector<std::pair<std::string, Properties::Value>>& overrides = {});

// The same for the text of a file, which is named in messages only.
Platform parse_platform(
    const std::string& file, const std::string& text,
    const std::vector<std::pair<std::string, Properties::Value>>& overrides = {});

}  // namespace trainyard

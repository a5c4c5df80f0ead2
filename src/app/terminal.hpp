// How wide a line of the standard output may be.
#pragma once

#include <cstddef>
#include <string>

namespace trainyard {

// The terminal's width; without bounds if the output goes elsewhere: programs read whole lines.
std::size_t output_width();

// The text as lines of at most `width` characters, broken at spaces, those after the first with
// `indent` before them. Every line ends. A word that is too long stands alone.
std::string wrapped(const std::string& text, const std::string& indent, std::size_t width);

}  // namespace trainyard

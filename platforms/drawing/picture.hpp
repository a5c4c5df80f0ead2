// A platform as a picture (SVG): levels of switches as rows, nodes below, who is cabled to whom.
//
// Of many switches or nodes the first few and the last stand for all, and the rest is counted. What
// is drawn is there: every line is cables of the platform. Nothing outside of the file is needed to
// see it.
#pragma once

#include "platforms/platform.hpp"

#include <string>

namespace trainyard {

std::string draw(const Platform& platform);

}  // namespace trainyard

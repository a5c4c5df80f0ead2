// A sweep: one experiment file, a grid of values, one run per point.
//
// `sweep: {platform.oversubscription: [1, 2, 4], seed: [1, 2]}`: the last key varies fastest.
#pragma once

#include "config/section.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct Setting {
  std::string key, value;  // dotted path and text
  Place from;              // the sweep's list: errors about the value name it
};

struct SweepPoint {
  std::vector<Setting> settings;
  std::string label() const;                        // "platform.oversubscription=2 seed=1"
  std::string directory(std::size_t number) const;  // "03__platform.oversubscription=2__seed=1"
};

// The points of the document's `sweep`, which is taken out of it; none if there is no sweep.
std::vector<SweepPoint> take_sweep(Document& document);

// Puts a point's values into the document, in place of what it says itself.
void settle(Document& document, const SweepPoint& point);

// `platform: file.xml` becomes `platform: {file: file.xml}`, so that a property can be set beside.
void open_platform(Document& document);

}  // namespace trainyard

// An experiment's file with what the command line changes in it.
#pragma once

#include "app/commands.hpp"
#include "study/experiment.hpp"

#include <string>

namespace trainyard {

Document load_document(const RunOptions& options);

Experiment read(Document& document, const RunOptions& options, Simulation& simulation);

// Where its results go.
std::string output_of(Document& document, const RunOptions& options);

// A plain SimGrid platform. SimGrid ends the process on some that it cannot read, so a child tries
// first.
Platform load_plain(Simulation& simulation, const std::string& file);

}  // namespace trainyard

// sbatch's own small languages: arrays, dependencies, switches, signals.
#pragma once

#include "schedulers/slurm/job/job.hpp"

#include <string>

namespace trainyard::slurm {

// False if the text is not understood.
bool parse_switches(const std::string& text, SlurmJob& job);      // "1", "2@0:30"
bool parse_signal(const std::string& text, SlurmJob& job);        // "B:USR1@120"
bool parse_array(const std::string& text, SlurmJob& job);         // "0-7%3", "1,4,9-11:2"
bool parse_dependencies(const std::string& text, SlurmJob& job);  // "afterok:{A}:{B},singleton"

}  // namespace trainyard::slurm

// Whether a command may write a file.
#pragma once

#include <string>

namespace trainyard {

// Throws InputError if `file` is a directory, or is there already and `replace` is not set.
void check_free(const std::string& file, bool replace);

}  // namespace trainyard

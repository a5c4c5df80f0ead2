// Files that are written, with every byte accounted for.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace trainyard {

using FileContent = std::function<void(std::ostream&)>;

// Opens the file, lets `content` write it, closes it. InputError, naming the file as `named`, if
// any byte did not arrive; beyond RLIMIT_FSIZE too, which would otherwise kill the process.
void write_file(const std::string& file, const std::string& named, const FileContent& content);

// The same, whole or not at all: what was there stays until all is written.
void write_file_whole(const std::string& file, const FileContent& content);

}  // namespace trainyard

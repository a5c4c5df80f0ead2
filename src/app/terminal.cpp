#include "app/terminal.hpp"

#include "base/text.hpp"

#include <limits>
#include <sys/ioctl.h>
#include <unistd.h>

namespace trainyard {

std::size_t output_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
      size.ws_col == 0)
    return std::numeric_limits<std::size_t>::max();
  return size.ws_col;
}

std::string wrapped(const std::string& text, const std::string& indent, std::size_t width) {
  std::string all;
  for (const std::string& line : wrapped_lines(text, indent, width)) all += line + '\n';
  return all;
}

}  // namespace trainyard

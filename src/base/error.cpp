#include "base/error.hpp"

namespace trainyard {

namespace {

std::string located(const Place& place, const std::string& path, const std::string& problem) {
  std::string text = to_string(place);
  if (!text.empty()) text += ": ";
  if (!path.empty()) text += path + ": ";
  return text + problem;
}

}  // namespace

std::string to_string(const Place& place) {
  std::string text = place.file;
  if (place.line > 0) text += ":" + std::to_string(place.line);
  if (place.line > 0 && place.column > 0) text += ":" + std::to_string(place.column);
  return text;
}

InputError::InputError(const Place& place, const std::string& path, const std::string& problem)
    : Error(located(place, path, problem)) {}

InfeasibleError::InfeasibleError(const Place& place, const std::string& path,
                                 const std::string& problem)
    : Error(located(place, path, problem)) {}

}  // namespace trainyard

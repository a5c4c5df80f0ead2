// Chrome's trace event format (JSON, plain or .gz), read as a stream: one event in memory.
//
// Two forms: an array of events, or an object whose "traceEvents" is that array, beside properties
// of the trace as a whole. Nothing is interpreted but "ts" and "dur", which are microseconds.
//
// A file that is not JSON, cut short or of another shape is an InputError with line and column; an
// event whose "ts" or "dur" is not a number is one with the event's index.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

struct ChromeEvent {
  struct Argument {
    std::string key, text;  // `text` as it stands: of a string its characters
  };
  std::int64_t index = 0;  // in the file, from 0
  std::string name, category, phase, process, thread;
  std::optional<double> start_us, duration_us;
  std::vector<Argument> arguments;  // of "args": strings, numbers and flags; lists are left out

  const std::string* argument(const std::string& key) const;  // nullptr if there is none
};

struct ChromeEventReader {
  std::function<void(const ChromeEvent&)> event;
  // "distributedInfo.rank" and its value; lists count as if their elements stood in their place.
  std::function<void(const std::string& path, const std::string& value)> property =
      [](const std::string&, const std::string&) {};
};

void read_chrome_events(const std::string& file, const ChromeEventReader& reader);

// The form is recognised by the first characters: '{' or '[' of a JSON text.
bool starts_like_json(const std::string& file);

}  // namespace trainyard

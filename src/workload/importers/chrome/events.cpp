#include "workload/importers/chrome/events.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "workload/importers/chrome/inflating_buffer.hpp"

#include <cmath>
#include <cstdio>
#include <istream>
#include <nlohmann/json.hpp>

namespace trainyard {

namespace {

// "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error ..." without its
// first words, with line and column where an error's place goes.
InputError json_error(const std::string& file, const std::string& what) {
  Place place{file};
  const std::size_t at = what.find("line ");
  if (at != std::string::npos)
    std::sscanf(what.c_str() + at, "line %d, column %d", &place.line, &place.column);
  const std::size_t colon = what.find(": ");
  const std::string problem = colon == std::string::npos ? what : what.substr(colon + 2);
  return {place, "", "no valid JSON: " + printable(problem, 200)};
}

// Follows the parser through the file: where it is, and the event that it is in.
class Handler final : public nlohmann::json_sax<nlohmann::json> {
public:
  Handler(const std::string& file, const ChromeEventReader& reader)
      : file_(file), reader_(reader) {}

  bool null() override { return value("null"); }
  bool boolean(bool flag) override { return value(flag ? "true" : "false"); }
  bool number_integer(number_integer_t number) override { return value(std::to_string(number)); }
  bool number_unsigned(number_unsigned_t number) override { return value(std::to_string(number)); }
  bool number_float(number_float_t /*number*/, const string_t& text) override {
    return value(text);
  }
  bool string(string_t& text) override { return value(text); }
  bool binary(binary_t& /*bytes*/) override { return true; }

  bool start_object(std::size_t /*elements*/) override {
    if (in_events() && depth() == events_depth_) {
      event_.arguments.clear();
      event_ = ChromeEvent{event_index_++, "", "", "", "", "", {}, {}, std::move(event_.arguments)};
    }
    return enter('{');
  }
  bool key(string_t& text) override {
    keys_.back() = text;
    return true;
  }
  bool end_object() override {
    leave();
    if (in_events() && depth() == events_depth_) reader_.event(event_);
    return true;
  }
  bool start_array(std::size_t /*elements*/) override {
    const bool events = depth() == 0 || (depth() == 1 && keys_[0] == "traceEvents");
    enter('[');
    if (events) events_depth_ = depth();
    return true;
  }
  bool end_array() override {
    if (depth() == events_depth_) {
      events_depth_ = 0;
      had_events_ = true;
    }
    leave();
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    throw json_error(file_, error.what());
  }

  bool had_events() const { return had_events_; }

private:
  std::size_t depth() const { return kinds_.size(); }
  bool in_events() const { return events_depth_ > 0; }
  bool enter(char kind) {
    kinds_.push_back(kind);
    keys_.emplace_back();
    return true;
  }
  void leave() {
    kinds_.pop_back();
    keys_.pop_back();
  }

  bool value(const std::string& text) {
    if (!in_events()) {
      if (depth() > 0) reader_.property(join_path(), text);
      return true;
    }
    const std::size_t inside = depth() - events_depth_;
    if (inside == 0)
      throw InputError({file_}, "event " + std::to_string(event_index_),
                       "an event is an object, not '" + printable(text) + "'");
    if (inside == 1) field(keys_.back(), text);
    if (inside == 2 && kinds_.back() == '{' && keys_[events_depth_] == "args")
      event_.arguments.push_back({keys_.back(), text});
    return true;
  }

  void field(const std::string& name, const std::string& text) {
    if (name == "name") event_.name = text;
    if (name == "cat") event_.category = text;
    if (name == "ph") event_.phase = text;
    if (name == "pid") event_.process = text;
    if (name == "tid") event_.thread = text;
    if (name == "ts") event_.start_us = number(name, text);
    if (name == "dur") event_.duration_us = number(name, text);
  }

  double number(const std::string& name, const std::string& text) const {
    const std::optional<double> value = parse_double(text);
    if (value && std::isfinite(*value)) return *value;
    throw InputError({file_}, "event " + std::to_string(event_.index) + "." + name,
                     "must be a number of microseconds, got '" + printable(text) + "'");
  }

  std::string join_path() const {
    std::string path;
    for (std::size_t i = 0; i < keys_.size(); ++i)
      if (kinds_[i] == '{') path += (path.empty() ? "" : ".") + keys_[i];
    return path;
  }

  const std::string& file_;
  const ChromeEventReader& reader_;
  std::string kinds_;              // of the objects '{' and arrays '[' that are open
  std::vector<std::string> keys_;  // in each of them, the key last read
  std::size_t events_depth_ = 0;   // how many are open in the array of events; 0: not in it
  bool had_events_ = false;
  std::int64_t event_index_ = 0;
  ChromeEvent event_;
};

}  // namespace

const std::string* ChromeEvent::argument(const std::string& key) const {
  for (const Argument& argument : arguments)
    if (argument.key == key) return &argument.text;
  return nullptr;
}

void read_chrome_events(const std::string& file, const ChromeEventReader& reader) {
  InflatingBuffer buffer(file);
  std::istream input(&buffer);
  Handler handler(file, reader);
  nlohmann::json::sax_parse(input, &handler);
  if (!handler.had_events())
    throw InputError({file}, "", "holds no trace events: neither a list nor \"traceEvents\"");
}

bool starts_like_json(const std::string& file) {
  InflatingBuffer buffer(file);
  int next = buffer.sbumpc();
  while (next == ' ' || next == '\n' || next == '\r' || next == '\t') next = buffer.sbumpc();
  return next == '{' || next == '[';
}

}  // namespace trainyard

// A strict view of one mapping of a YAML file: ask for every key, then finish().
//
// Whatever is not asked for is an error with its place and a near match. Every value that is read,
// and every default that is filled in, is also written to a resolved copy, so that the experiment
// can be saved beside its results exactly as it was understood. yaml-cpp stays behind this header.
#pragma once

#include "base/error.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

class Document;

class Section {
public:
  ~Section();
  Section(const Section&) = delete;
  Section(Section&&) noexcept;
  Section& operator=(const Section&) = delete;
  Section& operator=(Section&&) = delete;

  // Required values; each throws InputError naming file:line:column and the dotted path.
  std::string text(const std::string& key);
  std::string one_of(const std::string& key, const std::vector<std::string>& known);
  int positive_int(const std::string& key);
  std::int64_t integer(const std::string& key, std::int64_t at_least);
  double number(const std::string& key, double at_least, double at_most);
  bool yes_no(const std::string& key);          // on/off, true/false, yes/no
  Bytes bytes(const std::string& key);          // > 0
  Seconds seconds(const std::string& key);      // >= 0
  Bandwidth bandwidth(const std::string& key);  // > 0

  // The same with a default, which is written into the resolved copy.
  std::string text_or(const std::string& key, const std::string& fallback);
  std::string one_of_or(const std::string& key, const std::vector<std::string>& known,
                        const std::string& fallback);
  std::int64_t integer_or(const std::string& key, std::int64_t at_least, std::int64_t fallback);
  double number_or(const std::string& key, double at_least, double at_most, double fallback);
  bool yes_no_or(const std::string& key, bool fallback);
  Bytes bytes_or(const std::string& key, Bytes fallback);
  Seconds seconds_or(const std::string& key, Seconds fallback);  // forever(): "forever" is legal
  std::optional<std::string> maybe_text(const std::string& key);

  // These only look: a key that is there must still be read before finish().
  bool has(const std::string& key) const;
  std::vector<std::string> keys() const;  // in the file's order
  bool is_scalar(const std::string& key) const;
  bool is_list(const std::string& key) const;
  bool is_section(const std::string& key) const;

  Section section(const std::string& key);  // a required mapping
  std::optional<Section> maybe_section(const std::string& key);
  Section section_or_empty(const std::string& key);  // absent: an empty mapping, defaults apply
  std::vector<Section> sections(const std::string& key);   // a required list of mappings
  std::vector<std::string> texts(const std::string& key);  // a required list of scalars

  // Throws if any key was never asked for.
  void finish();

  // Errors at this mapping or at one of its keys, for checks that span keys.
  InputError error(const std::string& problem) const;
  InputError error(const std::string& key, const std::string& problem) const;
  InfeasibleError infeasible(const std::string& key, const std::string& problem) const;
  Place place(const std::string& key) const;
  std::string path(const std::string& key) const;

  // A relative path in the file means relative to the file itself.
  std::string resolve_path(const std::string& relative) const;

private:
  friend class Document;
  struct State;
  explicit Section(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// One YAML file, read and parsed. set() comes before root(): sections see the tree as it was.
class Document {
public:
  static Document load(const std::string& file);
  static Document parse(const std::string& yaml, const std::string& file_name);
  ~Document();
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  Section root();  // starts the resolved copy anew

  // Replaces the scalar at a dotted path ("network.model"), as `--set` does. The mapping
  // on the way must exist or is created; a list is not entered. Throws InputError (as "--set") if
  // it cannot.
  void set(const std::string& dotted_path, const std::string& value);

  // The same with a text that is taken as it is, not read as YAML; errors about it name `from`.
  void set_text(const std::string& dotted_path, const std::string& text, const Place& from);

  // Takes a top-level key out, as a sweep does with itself; harmless if it is not there.
  void remove(const std::string& key);

  // What the file says, with what was set since, as YAML.
  std::string text() const;
  // The resolved copy as YAML: what was read and every default, in the order asked for.
  std::string resolved() const;

private:
  struct State;
  explicit Document(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The bytes of a file; InputError if it cannot be read. Transparent for gzip (a truncated one is an
// error).
std::string read_file(const std::string& file);

}  // namespace trainyard

// The properties of a platform file, <prop id= value=>, read as strictly as an experiment's YAML.
//
// Ask for every property, then finish(): one that nobody asked for is an error with file, line and
// column. It knows nothing of XML: a test adds properties by hand.
#pragma once

#include "base/error.hpp"
#include "base/quantity.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

class Properties {
public:
  struct Value {
    std::string text;
    Place place;
  };

  // `zone` names the platform in messages; `place` is where a missing property would belong.
  Properties(std::string zone, Place place) : zone_(std::move(zone)), place_(std::move(place)) {}
  void add(const std::string& id, const Value& value);  // twice the same id is an InputError

  std::string text(const std::string& id);
  std::string text_or(const std::string& id, const std::string& fallback);
  std::string one_of(const std::string& id, const std::vector<std::string>& known);
  std::string one_of_or(const std::string& id, const std::vector<std::string>& known,
                        const std::string& fallback);
  int positive_int(const std::string& id);
  int positive_int_or(const std::string& id, int fallback);
  int count(const std::string& id);                    // >= 0
  std::vector<double> numbers(const std::string& id);  // comma-separated, each > 0
  std::vector<int> positive_ints(const std::string& id);
  Bandwidth bandwidth(const std::string& id);                // > 0
  Seconds seconds(const std::string& id);                    // >= 0
  std::vector<Bandwidth> bandwidths(const std::string& id);  // comma-separated
  std::vector<Seconds> seconds_list(const std::string& id);

  // The same for a part of a property's text.
  int positive_int_in(const std::string& id, const std::string& text) const;
  Bandwidth bandwidth_in(const std::string& id, const std::string& text) const;
  Seconds seconds_in(const std::string& id, const std::string& text) const;

  // Whether it is given. Asking makes the id known to suggestions; a given one must still be read.
  bool has(const std::string& id);
  void finish() const;

  // Replaces or adds a value (as `platform: {file, set: {oversubscription: 4}}` and sweeps do).
  void override_with(const std::string& id, const Value& value);

  InputError error(const std::string& id, const std::string& problem) const;
  InfeasibleError infeasible(const std::string& id, const std::string& problem) const;
  const std::string& zone() const { return zone_; }

private:
  const Value& require(const std::string& id);
  const Place& place_of(const std::string& id) const;
  void note(const std::string& id);
  InputError unknown(const std::string& id, const std::vector<std::string>& known) const;
  std::vector<std::string> items(const std::string& id);

  std::string zone_;
  Place place_;
  std::map<std::string, Value> values_;
  std::vector<std::string> asked_;  // each id once, in the order of asking
};

}  // namespace trainyard

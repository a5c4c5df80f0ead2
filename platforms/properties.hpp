// The properties of a platform file, <prop id= value=>, read as strictly as an experiment's YAML.
//
// Ask for every property, then finish(): one that nobody asked for is an error with file, line and
// column.
#pragma once

#include "base/error.hpp"
#include "base/quantity.hpp"

#include <map>
#include <string>
#include <vector>

namespace trainyard {

class Properties {
public:
  struct Value {
    std::string text;
    Place place;
  };

  Properties(std::string zone, Place place) : zone_(std::move(zone)), place_(std::move(place)) {}
  void add(const std::string& id, const Value& value);  // twice the same id is an InputError

  std::string text(const std::string& id);
  std::string text_or(const std::string& id, const std::string& fallback);
  std::string one_of_or(const std::string& id, const std::vector<std::string>& known,
                        const std::string& fallback);
  int positive_int(const std::string& id);
  int positive_int_or(const std::string& id, int fallback);
  std::vector<double> numbers(const std::string& id);  // comma-separated, each > 0
  std::vector<int> positive_ints(const std::string& id);
  Bandwidth bandwidth(const std::string& id);
  Seconds seconds(const std::string& id);
  std::vector<Bandwidth> bandwidths(const std::string& id);
  std::vector<Seconds> seconds_list(const std::string& id);
  bool has(const std::string& id) const { return values_.count(id) != 0; }
  void finish();

  // Replaces or adds a value (as `platform: {file, set: {oversubscription: 4}}` and sweeps do).
  void override_with(const std::string& id, const Value& value);

  InputError error(const std::string& id, const std::string& problem) const;
  InfeasibleError infeasible(const std::string& id, const std::string& problem) const;
  const std::string& zone() const { return zone_; }

private:
  const Value& require(const std::string& id);
  std::string zone_;
  Place place_;
  std::map<std::string, Value> values_;
  std::vector<std::string> asked_;
};

}  // namespace trainyard

#include "schedulers/slurm/job/constraint.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <optional>

namespace trainyard::slurm {

namespace {

using Join = FeatureTerm::Join;

// A feature, or features in parentheses, with a count if there is one.
struct Item {
  FeatureTerm term;
  int count = 0;
};

class Parser {
public:
  Parser(const std::string& text, FeatureConstraint& constraint)
      : text_(text), result_(constraint) {}

  std::string parse() {
    std::vector<Item> items;
    do {
      if (next_is('[') ? !take_brackets() : !take_item(items)) return problem_;
    } while (join());
    if (at_ < text_.size()) return "'" + printable(text_.substr(at_)) + "' is left over";
    return place_outside(items);
  }

private:
  bool fail(const std::string& problem) { return problem_ = problem, false; }
  bool next_is(char c) const { return at_ < text_.size() && text_[at_] == c; }

  // The next '&' (or ',', which means the same) or '|'.
  bool join() {
    if (!next_is('&') && !next_is(',') && !next_is('|')) return false;
    join_ = text_[at_++] == '|' ? Join::Or : Join::And;
    return true;
  }

  bool take_name(FeatureTerm& term) {
    const std::size_t end = std::min(text_.find_first_of("&|,()[]*", at_), text_.size());
    term.join = join_;
    term.feature = std::string(trim(text_.substr(at_, end - at_)));
    at_ = end;
    return !term.feature.empty() || fail("a feature is missing");
  }

  bool take_item(std::vector<Item>& items) {
    Item item;
    if (next_is('(')) {
      item.term.join = join_;
      if (!take_parentheses(item.term.inside)) return false;
    } else if (!take_name(item.term)) {
      return false;
    }
    if (next_is('*') && !take_count(item.count)) return false;
    items.push_back(std::move(item));
    return true;
  }

  bool take_parentheses(FeatureExpression& inside) {
    ++at_;
    join_ = Join::And;
    do {
      inside.emplace_back();
      if (!take_name(inside.back())) return false;
    } while (join());
    if (!next_is(')')) return fail("')' is missing; parentheses hold features alone");
    return ++at_, true;
  }

  bool take_count(int& count) {
    const std::size_t end = std::min(text_.find_first_not_of("0123456789", ++at_), text_.size());
    const auto value = parse_integer(text_.substr(at_, end - at_));
    if (!value || *value < 1 || *value > 1'000'000) return fail("'*' needs a count of nodes");
    count = static_cast<int>(*value);
    return at_ = end, true;
  }

  bool take_brackets() {
    if (bracket_) return fail("there is more than one pair of brackets");
    if (join_ == Join::Or) return fail("brackets are joined to the rest by '&'");
    bracket_ = true;
    ++at_;
    std::vector<Item> items;
    do {
      if (!take_item(items)) return false;
    } while (join());
    if (!next_is(']')) return fail("']' is missing");
    ++at_;
    join_ = Join::And;
    return place_bracketed(items);
  }

  // Either counts joined by '&', or alternatives joined by '|'.
  bool place_bracketed(std::vector<Item>& items) {
    const auto counted =
        std::count_if(items.begin(), items.end(), [](const Item& item) { return item.count > 0; });
    const bool all = counted == static_cast<std::ptrdiff_t>(items.size());
    if (!all && counted > 0) return fail("in brackets each feature has a count, or none has");
    const Join wanted = all ? Join::And : Join::Or;
    for (std::size_t i = 1; i < items.size(); ++i)
      if (items[i].term.join != wanted)
        return fail(all ? "counts are joined by '&'"
                        : "alternatives in brackets are joined by '|'");
    for (Item& item : items) {
      item.term.join = Join::And;
      if (all)
        result_.counts.push_back({item.count, {std::move(item.term)}});
      else
        result_.alternatives.push_back({std::move(item.term)});
    }
    result_.bracketed = all;
    return true;
  }

  std::string place_outside(std::vector<Item>& items) {
    for (Item& item : items) {
      if (item.count == 0) {
        result_.every.push_back(std::move(item.term));
        continue;
      }
      if (!result_.counts.empty()) return "several counts stand in brackets: [a*2&b*2]";
      result_.counts.push_back({item.count, {std::move(item.term)}});
    }
    if (!result_.counts.empty() && (!result_.every.empty() || !result_.alternatives.empty()))
      return "a feature with a count stands beside one without";
    return "";
  }

  const std::string& text_;
  FeatureConstraint& result_;
  std::size_t at_ = 0;
  Join join_ = Join::And;  // of what comes next with what stands before it
  bool bracket_ = false;
  std::string problem_;
};

void add_names(const FeatureExpression& expression, std::vector<std::string>& names) {
  for (const FeatureTerm& term : expression) {
    if (!term.feature.empty()) names.push_back(term.feature);
    add_names(term.inside, names);
  }
}

}  // namespace

std::string parse_constraint(const std::string& text, FeatureConstraint& constraint) {
  constraint = {};
  return Parser(text, constraint).parse();
}

std::vector<std::string> features_named(const FeatureConstraint& constraint) {
  std::vector<std::string> names;
  add_names(constraint.every, names);
  for (const FeatureExpression& each : constraint.alternatives) add_names(each, names);
  for (const CountedFeatures& each : constraint.counts) add_names(each.have, names);
  return names;
}

}  // namespace trainyard::slurm

// A set of nodes by their index in SlurmSite::nodes: the words of a bitmap.
//
// Scheduling is mostly the intersection of such sets, so all operations go word by word. Two sets
// may be combined only if they are of the same size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace trainyard::slurm {

class NodeSet {
public:
  NodeSet() = default;
  explicit NodeSet(int nodes)
      : nodes_(nodes), words_((static_cast<std::size_t>(nodes) + 63) / 64) {}

  static NodeSet all(int nodes) {
    NodeSet set(nodes);
    for (std::uint64_t& word : set.words_) word = ~std::uint64_t{0};
    if (nodes % 64 != 0) set.words_.back() = (std::uint64_t{1} << (nodes % 64)) - 1;
    return set;
  }

  // The words that may hold members: for sets that lie close together.
  struct Span {
    std::size_t first = 0, last = 0;
  };
  Span span() const {
    Span span{0, words_.size()};
    while (span.first < span.last && !words_[span.first]) ++span.first;
    while (span.first < span.last && !words_[span.last - 1]) --span.last;
    return span;
  }

  int size() const { return nodes_; }  // of the cluster, not of the set
  bool has(int node) const { return (word(node) >> (node & 63)) & 1; }
  void add(int node) { words_[index(node)] |= bit(node); }
  void remove(int node) { words_[index(node)] &= ~bit(node); }
  void clear() { words_.assign(words_.size(), 0); }

  // Becomes the set of all nodes for which `holds`.
  template <class Holds>
  void fill(Holds&& holds) {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const int first = static_cast<int>(i * 64);
      std::uint64_t word = 0;
      for (int n = std::min(nodes_ - first, 64) - 1; n >= 0; --n)
        word = word << 1 | static_cast<std::uint64_t>(holds(first + n));
      words_[i] = word;
    }
  }

  int count() const {
    int total = 0;
    for (const std::uint64_t word : words_) total += ones(word);
    return total;
  }
  bool empty() const {
    for (const std::uint64_t word : words_)
      if (word) return false;
    return true;
  }
  bool intersects(const NodeSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (words_[i] & other.words_[i]) return true;
    return false;
  }
  bool contains(const NodeSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (other.words_[i] & ~words_[i]) return false;
    return true;
  }
  // Whether all that `a` and `b` have in common is here.
  bool contains_common(const NodeSet& a, const NodeSet& b) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (a.words_[i] & b.words_[i] & ~words_[i]) return false;
    return true;
  }
  int count_common(const NodeSet& other) const {
    int total = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) total += ones(words_[i] & other.words_[i]);
    return total;
  }

  // The same within a span of either.
  int count_common(const NodeSet& other, Span span) const {
    int total = 0;
    for (std::size_t i = span.first; i < span.last; ++i) total += ones(words_[i] & other.words_[i]);
    return total;
  }
  bool intersects(const NodeSet& other, Span span) const {
    for (std::size_t i = span.first; i < span.last; ++i)
      if (words_[i] & other.words_[i]) return true;
    return false;
  }
  // Calls visit(node) for each common member, ascending.
  template <class Visit>
  void each_common(const NodeSet& other, Span span, Visit&& visit) const {
    for (std::size_t i = span.first; i < span.last; ++i)
      for (std::uint64_t word = words_[i] & other.words_[i]; word; word &= word - 1)
        visit(static_cast<int>(i * 64) + __builtin_ctzll(word));
  }

  NodeSet& operator&=(const NodeSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }
  NodeSet& operator|=(const NodeSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  NodeSet& operator-=(const NodeSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
    return *this;
  }
  friend bool operator==(const NodeSet& a, const NodeSet& b) { return a.words_ == b.words_; }
  friend bool operator!=(const NodeSet& a, const NodeSet& b) { return !(a == b); }

  int first() const { return from(0); }  // -1 if empty
  // The smallest member that is at least `node`, or -1.
  int from(int node) const {
    if (node >= nodes_) return -1;
    std::size_t i = index(node);
    std::uint64_t word = words_[i] & (~std::uint64_t{0} << (node & 63));
    while (!word) {
      if (++i == words_.size()) return -1;
      word = words_[i];
    }
    return static_cast<int>(i * 64) + __builtin_ctzll(word);
  }

  // Calls visit(node) for each member, ascending.
  template <class Visit>
  void each(Visit&& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t word = words_[i]; word; word &= word - 1)
        visit(static_cast<int>(i * 64) + __builtin_ctzll(word));
  }

private:
  // Members of one word; the built-in is a call where the processor is not known to count.
  static int ones(std::uint64_t word) {
    word -= (word >> 1) & 0x5555555555555555U;
    word = (word & 0x3333333333333333U) + ((word >> 2) & 0x3333333333333333U);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fU;
    return static_cast<int>((word * 0x0101010101010101U) >> 56);
  }
  static std::size_t index(int node) { return static_cast<std::size_t>(node) >> 6; }
  static std::uint64_t bit(int node) { return std::uint64_t{1} << (node & 63); }
  std::uint64_t word(int node) const { return words_[index(node)]; }

  int nodes_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace trainyard::slurm

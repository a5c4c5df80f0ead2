// Text: numbers that read back exactly, near matches for "did you mean", and checks of foreign
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

// The shortest decimal text that reads back as the same double; the same on every machine.
std::string shortest(double value);

// A double with a fixed number of decimals; "-0.000" is written "0.000".
std::string fixed(double value, int decimals);

// The whole of `text` as a number, or nothing.
std::optional<double> parse_double(std::string_view text);
std::optional<std::int64_t> parse_integer(std::string_view text);

// The known word closest to `word` in edit distance (transpositions count one), or "" if none is
// near: at most 2 edits and at most half of the word. A difference in case only is nearest of all.
std::string near_match(std::string_view word, const std::vector<std::string>& known);

// "; did you mean 'x'?" for a near match, otherwise "; known: a, b, c" ("" if nothing is known).
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

// "1 node", "3 nodes", "2 switches"
std::string counted(std::int64_t count, const std::string& what);

// "a, b, c"
std::string join(const std::vector<std::string>& words, std::string_view separator = ", ");

// The text in lines of at most `width` bytes, broken at spaces, those after the first with `indent`
// before them. A word that is too long stands alone.
std::vector<std::string> wrapped_lines(std::string_view text, std::string_view indent,
                                       std::size_t width);

// Whether `a` stands before `b` as people count: "n2" before "n10".
bool natural_less(std::string_view a, std::string_view b);

std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);

// The offset of the first byte that is not valid UTF-8, or nothing if all are.
std::optional<std::size_t> invalid_utf8(std::string_view text);

// Foreign bytes as text that may be printed: what is not printable ASCII becomes \xNN, and what is
// longer than `limit` bytes ends in "...".
std::string printable(std::string_view text, std::size_t limit = 40);

}  // namespace trainyard

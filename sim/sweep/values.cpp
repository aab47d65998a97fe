#include "sim/sweep/values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "sim/sweep/number.hpp"

namespace gridlock::sweep {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw SpecificationError(fmt::format(format, std::forward<Args>(args)...));
}

struct Range {
  std::string_view text;
  bool logarithmic = false;
  double from = 0, to = 0;
  std::string unit;
  std::size_t count = 0;
};

Number end_of(std::string_view text, std::string_view whole) {
  const auto number = split_number(text);
  if (!number) fail("'{}' in '{}' is not a number with a unit that gridlock knows", text, whole);
  return *number;
}

std::size_t count_of(std::string_view text, std::string_view whole) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    fail("'{}' in '{}' is no number of points: write A..B:N, such as 50..1600Gbps:32", text, whole);
  if (count == 0) fail("'{}' has no points: write A..B:N with N at least 2", whole);
  if (count > most_values) fail("'{}' has more than {} values", whole, most_values);
  return count;
}

// Both ends in the unit of the one that has one; of two, in the first one's.
void set_ends(Range& range, Number from, Number to) {
  if (from.unit.empty()) from.unit = to.unit;
  if (to.unit.empty()) to.unit = from.unit;
  const auto same = in_unit(to, from.unit);
  if (!same) fail("'{}' goes from {} to {}, which do not measure the same", range.text, from.unit, to.unit);
  range.from = from.value, range.to = *same, range.unit = from.unit;
}

void check(const Range& range) {
  if (range.from > range.to)
    fail("'{}' is reversed: write the smaller end first, {}..{}", range.text, number_with_unit(range.to, ""),
         number_with_unit(range.from, range.unit));
  if (range.from == range.to && range.count > 1) fail("'{}' is empty: both ends are the same", range.text);
  if (range.from < range.to && range.count == 1) fail("'{}' has two ends and one point: write N at least 2", range.text);
  if (range.logarithmic && range.from <= 0)
    fail("'{}' starts at {}: a logarithmic range needs a start above 0", range.text, range.from);
}

std::vector<std::string> values_of(const Range& range, bool whole) {
  std::vector<std::string> values;
  values.reserve(range.count);
  for (std::size_t i = 0; i < range.count; ++i) {
    const double share = range.count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(range.count - 1);
    double value =
        range.logarithmic ? range.from * std::pow(range.to / range.from, share) : range.from + (range.to - range.from) * share;
    if (i + 1 == range.count && i > 0) value = range.to;
    const bool round = whole && range.unit.empty();
    // Nobody needs ten digits of what is spread over equal ratios.
    const bool inner = range.logarithmic && i > 0 && i + 1 < range.count;
    std::string text =
        round ? fmt::format("{}", std::llround(value)) : fmt::format("{:.{}g}{}", value, inner ? 6 : 10, range.unit);
    if (values.empty() || values.back() != text) values.push_back(std::move(text));
  }
  return values;
}

// Nothing when the text is no range.
std::optional<Range> parse_range(std::string_view text, bool whole) {
  Range range;
  range.text = text;
  std::string_view rest = text;
  if (rest.starts_with("log:")) range.logarithmic = true, rest.remove_prefix(4);
  const std::size_t dots = rest.find("..");
  const bool is_range = dots != std::string_view::npos && split_number(rest.substr(0, dots));
  if (!is_range && range.logarithmic) fail("'{}' is no range: write log:A..B:N, such as log:50..1600Gbps:6", text);
  // Dots are also in the middle of paths of files, and of what is quoted.
  const bool meant = dots != std::string_view::npos && dots > 0 && rest.substr(dots + 2, 1) != "/" &&
                     rest.find_first_of("\"'[{,/") == std::string_view::npos;
  if (!is_range && !meant) return std::nullopt;
  const std::string_view after = rest.substr(dots + 2);
  const std::size_t colon = after.find(':');
  set_ends(range, end_of(rest.substr(0, dots), text), end_of(after.substr(0, colon), text));
  if (colon != std::string_view::npos) {
    range.count = count_of(after.substr(colon + 1), text);
  } else if (whole && !range.logarithmic && range.unit.empty()) {
    if (range.to - range.from > static_cast<double>(most_values)) fail("'{}' has more than {} values", text, most_values);
    range.count = range.to >= range.from ? static_cast<std::size_t>(range.to - range.from) + 1 : 1;
  } else {
    fail("'{}' does not say how many points: write {}:N, such as {}:16", text, text, text);
  }
  check(range);
  return range;
}

// At commas that stand in no bracket and no quotes.
std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      items.emplace_back();
      continue;
    }
    items.back() += c;
  }
  return items;
}

}  // namespace

std::vector<std::string> parse_values(std::string_view text, bool whole) {
  text = trim(text);
  if (const auto range = parse_range(text, whole)) return values_of(*range, whole);
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') text = trim(text.substr(1, text.size() - 2));
  if (text.empty()) fail("no values: write a range such as 50..1600Gbps:32, or a list such as adaptive,ecmp");
  std::vector<std::string> values;
  for (const std::string& item : split_list(text)) {
    const std::string_view value = trim(item);
    if (value.empty()) fail("the list '{}' has an empty value", text);
    values.emplace_back(value);
  }
  return values;
}

}  // namespace gridlock::sweep

// The table as nccl-tests and rccl-tests print it.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/bench/nccl_log_parts.hpp"

namespace gridlock::bench {
namespace {

using Words = std::vector<std::string_view>;

Words words_of(std::string_view line) {
  Words words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t begin = line.find_first_not_of(" \t\r", at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    at = end;
  }
  return words;
}

// A number, with a point or (other locales) a comma before its decimals.
std::optional<double> number(std::string_view word) {
  std::string text(word);
  std::ranges::replace(text, ',', '.');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> whole(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

bool is_type(std::string_view word) {
  constexpr std::string_view types[] = {"int8",     "uint8",    "int32",  "uint32",   "int64",       "uint64",
                                        "half",     "float",    "double", "bfloat16", "f8e4m3",      "f8e5m2",
                                        "fp8_e4m3", "fp8_e5m2", "char",   "int",      "float8_e4m3", "float8_e5m2"};
  return std::ranges::find(types, word) != std::end(types);
}

bool is_absent(std::string_view word) { return word == "N/A"; }

// Where the values of a row are, counted from the one after type and redop.
struct Columns {
  bool root = false;
  std::size_t count = 0;             // of all values; 0: not known
  std::vector<std::size_t> times;    // out of place, in place; or the only one there is
  std::optional<std::size_t> wrong;  // of the first half
  bool bandwidth = true;             // algbw follows the time
};

// Of a header such as "#  size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw #wrong".
std::optional<Columns> columns_of_header(const Words& words) {
  auto word = std::ranges::find(words, "size");
  if (word == words.end() || std::ranges::find(word, words.end(), "count") == words.end()) return std::nullopt;
  word = std::ranges::find(word, words.end(), "type");
  if (word == words.end()) return std::nullopt;
  Columns columns;
  for (++word; word != words.end() && *word != "timestamp"; ++word) {
    if (*word == "redop") continue;
    if (*word == "root") columns.root = true;
    if (*word == "time" || *word == "cputime") {
      columns.times.push_back(columns.count);
      columns.bandwidth = word + 1 != words.end() && word[1] == "algbw";
    }
    if ((*word == "#wrong" || *word == "error") && !columns.wrong) columns.wrong = columns.count;
    ++columns.count;
  }
  return columns.times.empty() ? std::nullopt : std::optional(columns);
}

// Without a header: by the number of values, of which a cut row has any. A root is printed as a whole number, times are not
// (below 10 ms); a fourth value of 0 or N/A is #wrong, not the time in place.
Columns guessed_columns(const std::vector<double>& values, std::string_view first_word) {
  Columns columns;
  columns.root = first_word == "-1" || first_word == "0" || (values.size() > 6 && values.size() % 2 != 0);
  const std::size_t first = columns.root ? 1 : 0, left = values.size() - std::min(first, values.size());
  const std::size_t half = left > 8 ? 8 : left == 6 && values[first + 3] > 0 ? 3 : 4;
  columns.times = {first};
  if (left > half) columns.times.push_back(first + half);
  return columns;
}

class Table {
 public:
  explicit Table(NcclLog& log) : log_(log), out_(log) {}

  void line(std::string_view text, int number) {
    line_ = number;
    const Words words = words_of(text);
    if (const auto kind = kind_in(text)) note_kind(*kind);
    if (const auto header = columns_of_header(words)) columns_ = header;
    // Ranks that write at once put several rows into a line, of which all but the last are cut.
    for (std::size_t i = 0; i + 2 < words.size(); ++i) {
      if (!is_type(words[i + 2]) || !whole(words[i]) || !whole(words[i + 1])) continue;
      std::size_t end = i + 3;
      while (end < words.size() && !(end + 2 < words.size() && is_type(words[end + 2]) && whole(words[end]))) ++end;
      if (skipped_) continue;
      row(*whole(words[i]),
          Words(words.begin() + static_cast<std::ptrdiff_t>(i) + 3, words.begin() + static_cast<std::ptrdiff_t>(end)));
    }
  }

 private:
  void note_kind(collectives::Kind kind) {
    if (!log_.kind) log_.kind = kind;
    const bool other = kind != *log_.kind;
    if (other && !skipped_)
      problem(fmt::format("a table of {} begins, passed over: the first is of {}", collectives::name(kind),
                          collectives::name(*log_.kind)));
    skipped_ = other;
  }

  // The words after the type.
  void row(std::uint64_t bytes, Words words) {
    if (!words.empty() && !number(words.front()) && !is_absent(words.front())) words.erase(words.begin());  // redop
    std::vector<double> values;
    for (const std::string_view word : words) {
      const std::optional<double> value = is_absent(word) ? std::nan("") : number(word);
      if (!value) break;  // something else was written into the line
      values.push_back(*value);
    }
    const bool known = columns_ && values.size() <= columns_->count;
    const Columns columns = known ? *columns_ : guessed_columns(values, words.empty() ? std::string_view() : words.front());
    std::vector<std::optional<double>> times;
    std::string why = "cut short";
    for (const std::size_t at : columns.times) {
      // The last word of a cut line may be half a number.
      const bool whole_number = at + 1 < values.size() || (known && values.size() == columns.count);
      std::optional<double> time_s = at < values.size() && whole_number ? seconds(values[at]) : std::nullopt;
      if (at < values.size() && whole_number && !time_s) why = "no time above 0";
      if (time_s && columns.bandwidth && at + 2 < values.size() && contradicts(bytes, *time_s, values[at + 1])) {
        why = "time and algbw contradict each other";
        time_s = std::nullopt;
      }
      times.push_back(time_s);
    }
    times.resize(2);
    if (!times[0] && !times[1]) return problem(why);
    if (columns.wrong && *columns.wrong < values.size() && columns.count > 0 && values[*columns.wrong] >= 1)
      problem(fmt::format("{:g} wrong values; the time is used", values[*columns.wrong]));
    out_.add(bytes, times[0], times[1]);
  }

  void problem(std::string_view what) { out_.problem(fmt::format("line {}: {}", line_, what)); }

  NcclLog& log_;
  Collector out_;
  std::optional<Columns> columns_;
  int line_ = 0;
  bool skipped_ = false;
};

}  // namespace

void parse_text_log(std::string_view text, NcclLog& log) {
  Table table(log);
  int number_of_line = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    table.line(rest.substr(0, end), ++number_of_line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

}  // namespace gridlock::bench

#include "sim/bench/nccl_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sim/bench/names.hpp"
#include "sim/scenario/source.hpp"

namespace gridlock::bench {
namespace {

constexpr std::size_t most_problems = 20;

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
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
  constexpr std::string_view types[] = {"int8",   "uint8",    "int32",  "uint32", "int64",    "uint64",   "half", "float",
                                        "double", "bfloat16", "f8e4m3", "f8e5m2", "fp8_e4m3", "fp8_e5m2", "char", "int"};
  return std::ranges::find(types, word) != std::end(types);
}

std::optional<double> seconds(std::optional<double> microseconds) {
  if (!microseconds || !std::isfinite(*microseconds) || *microseconds <= 0) return std::nullopt;
  return *microseconds * 1e-6;
}

class Collector {
 public:
  explicit Collector(NcclLog& log) : log_(log) {}

  void add(std::uint64_t bytes, std::optional<double> out_of_place_s, std::optional<double> in_place_s) {
    const auto [found, fresh] = index_.try_emplace(bytes, log_.rows.size());
    if (fresh) log_.rows.push_back({bytes, out_of_place_s, in_place_s});
    MeasuredRow& row = log_.rows[found->second];
    const auto keep = [](std::optional<double>& old, std::optional<double> value) {
      if (value && (!old || *value < *old)) old = value;
    };
    keep(row.out_of_place_s, out_of_place_s);
    keep(row.in_place_s, in_place_s);
  }

  void problem(std::string text) {
    if (log_.problems.size() < most_problems) log_.problems.push_back(std::move(text));
  }

 private:
  NcclLog& log_;
  std::map<std::uint64_t, std::size_t> index_;
};

// The kind of a line such as "# Collective test starting: all_reduce_perf" or "mpirun ... ./build/all_reduce_perf -b 8".
std::optional<collectives::Kind> kind_in(std::string_view line) {
  const std::size_t end = line.find("_perf");
  if (end == std::string_view::npos) return std::nullopt;
  std::size_t begin = end;
  while (begin > 0 && (std::isalpha(static_cast<unsigned char>(line[begin - 1])) || line[begin - 1] == '_')) --begin;
  try {
    return parse_kind(line.substr(begin, end - begin));
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

// Where a row begins: "size count type". Launchers put "[1,0]<stdout>:" and the like in front.
std::optional<std::size_t> row_start(const std::vector<std::string_view>& words) {
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    if (is_type(words[i + 2]) && whole(words[i]) && whole(words[i + 1])) return i;
  }
  return std::nullopt;
}

// The numbers after size, count, type and redop; N/A and nan are empty. Ends where something else was written into the line.
std::vector<std::optional<double>> values_of(const std::vector<std::string_view>& words, std::size_t start) {
  const auto absent = [](std::string_view word) { return word == "N/A" || word == "nan" || word == "-nan"; };
  std::vector<std::optional<double>> values;
  std::size_t i = start + 3;
  if (i < words.size() && !number(words[i]) && !absent(words[i])) ++i;  // redop
  for (; i < words.size() && (absent(words[i]) || number(words[i])); ++i)
    values.push_back(absent(words[i]) ? std::nullopt : number(words[i]));
  return values;
}

void read_row(const std::vector<std::string_view>& words, std::size_t start, int line, Collector& out) {
  std::vector<std::optional<double>> values = values_of(words, start);
  const bool whole_row = values.size() >= 6;
  const bool has_root = whole_row ? values.size() % 2 != 0 : !values.empty() && values.front() == -1.0;
  if (has_root) values.erase(values.begin());
  if (values.size() < 3) return out.problem(fmt::format("line {}: cut short", line));
  const std::size_t half = values.size() == 6 ? 3 : 4;  // with or without #wrong
  const std::optional<double> out_of_place = seconds(values[0]),
                              in_place = values.size() > half ? seconds(values[half]) : std::nullopt;
  if (!out_of_place && !in_place) return out.problem(fmt::format("line {}: no time above 0", line));
  out.add(*whole(words[start]), out_of_place, in_place);
}

void parse_text(std::string_view text, NcclLog& log) {
  Collector out(log);
  int number_of_line = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number_of_line;
    if (!log.kind) log.kind = kind_in(line);
    const std::vector<std::string_view> words = words_of(line);
    if (const auto start = row_start(words)) read_row(words, *start, number_of_line, out);
  }
}

void parse_json(std::string_view text, NcclLog& log) {
  Collector out(log);
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) throw std::invalid_argument("not valid JSON: was the file cut short?");
  if (!json.is_object() || !json.contains("results") || !json["results"].is_array())
    throw std::invalid_argument("no list \"results\" as nccl-tests -J writes it");
  if (json.contains("args") && json["args"].is_array() && !json["args"].empty() && json["args"][0].is_string())
    log.kind = kind_in(json["args"][0].get<std::string>());
  const auto time = [](const nlohmann::json& row, const char* half) -> std::optional<double> {
    if (!row.contains(half) || !row[half].is_object()) return std::nullopt;
    const nlohmann::json& values = row[half];
    return values.contains("time") && values["time"].is_number() ? seconds(values["time"].get<double>()) : std::nullopt;
  };
  for (std::size_t i = 0; i < json["results"].size(); ++i) {
    const nlohmann::json& row = json["results"][i];
    if (!row.is_object() || !row.contains("size") || !row["size"].is_number_unsigned()) {
      out.problem(fmt::format("result {}: no size", i));
      continue;
    }
    const std::optional<double> out_of_place = time(row, "out_of_place"), in_place = time(row, "in_place");
    if (out_of_place || in_place)
      out.add(row["size"].get<std::uint64_t>(), out_of_place, in_place);
    else
      out.problem(fmt::format("result {}: no time above 0", i));
  }
}

}  // namespace

double MeasuredRow::best_s() const {
  if (!out_of_place_s) return in_place_s.value_or(0);
  return std::min(*out_of_place_s, in_place_s.value_or(*out_of_place_s));
}

NcclLog parse_nccl_log(std::string_view text) {
  NcclLog log;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{')
    parse_json(text, log);
  else
    parse_text(text, log);
  if (log.rows.empty()) {
    throw std::invalid_argument(log.problems.empty()
                                    ? "no row of an nccl-tests table: size, count, type, redop, root, time ..."
                                    : fmt::format("no usable row of an nccl-tests table ({})", log.problems.front()));
  }
  std::ranges::stable_sort(log.rows, {}, &MeasuredRow::bytes);
  return log;
}

NcclLog read_nccl_log(const std::string& path) {
  const scenario::SourcePtr source = scenario::read_source(path);
  try {
    return parse_nccl_log(source->text);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace gridlock::bench

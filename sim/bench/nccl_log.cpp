#include "sim/bench/nccl_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>

#include "sim/bench/names.hpp"
#include "sim/bench/nccl_log_parts.hpp"
#include "sim/scenario/source.hpp"

namespace gridlock::bench {
namespace {

constexpr std::size_t most_problems = 20;

// An object, or a list of objects: "[1,0]<stdout>:" begins with a bracket too.
bool is_json(std::string_view text) {
  constexpr const char* blank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) return false;
  const std::size_t second = text.find_first_not_of(blank, first + 1);
  return text[first] == '{' || (second != std::string_view::npos && text[second] == '{');
}

}  // namespace

void Collector::add(std::uint64_t bytes, std::optional<double> out_of_place_s, std::optional<double> in_place_s) {
  const auto [found, fresh] = index_.try_emplace(bytes, log_.rows.size());
  if (fresh) log_.rows.push_back({bytes, out_of_place_s, in_place_s});
  MeasuredRow& row = log_.rows[found->second];
  const auto keep = [](std::optional<double>& old, std::optional<double> value) {
    if (value && (!old || *value < *old)) old = value;
  };
  keep(row.out_of_place_s, out_of_place_s);
  keep(row.in_place_s, in_place_s);
}

void Collector::problem(std::string text) {
  if (log_.problems.size() < most_problems) log_.problems.push_back(std::move(text));
}

std::optional<double> seconds(std::optional<double> microseconds) {
  if (!microseconds || !std::isfinite(*microseconds) || *microseconds <= 0) return std::nullopt;
  return *microseconds * 1e-6;
}

bool contradicts(std::uint64_t bytes, double time_s, double algbw_gb_per_s) {
  const double expected = static_cast<double>(bytes) / time_s / 1e9;
  if (!(std::isfinite(algbw_gb_per_s) && expected > 1 && algbw_gb_per_s > 0)) return false;
  return algbw_gb_per_s > 1.1 * expected || algbw_gb_per_s < 0.45 * expected;
}

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

double MeasuredRow::best_s() const {
  if (!out_of_place_s) return in_place_s.value_or(0);
  return std::min(*out_of_place_s, in_place_s.value_or(*out_of_place_s));
}

NcclLog parse_nccl_log(std::string_view text) {
  NcclLog log;
  if (is_json(text))
    parse_json_log(text, log);
  else
    parse_text_log(text, log);
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

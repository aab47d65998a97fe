// nccl-tests' own JSON (-J FILE, 2.15 and later): {"args": [...], "config": {...}, "results": [{"size", "out_of_place": {"time",
// "alg_bw", ...}, "in_place": ...}]}; "cpu_time" with -C, "nan" as a string. And that of rccl-tests (-Z Json -x FILE), a list
// with an object for each half of a row: [{"name": "AllReduce", "size", "inPlace": 0, "time", "algBw", ...}]. Source:
// ROCm/rccl-tests src/common.cpp, class Reporter.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sim/bench/nccl_log_parts.hpp"

namespace gridlock::bench {
namespace {

using Json = nlohmann::json;

// The objects of the list "results", or of the list that is all, of a text that ends early, as far as they are whole. REQUIRES
// that the text begins with a bracket.
Json whole_results(std::string_view text) {
  Json results = Json::array();
  const std::size_t list = text.find("\"results\"");
  std::size_t at = text.front() == '[' ? 0 : list == std::string_view::npos ? list : text.find('[', list);
  std::size_t begin = 0;
  int depth = 0;
  bool quoted = false;
  for (; at != std::string_view::npos && at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\\') ++at;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{') {
      if (depth++ == 0) begin = at;
    } else if (c == '}' && depth > 0 && --depth == 0) {
      const Json one = Json::parse(text.substr(begin, at + 1 - begin), nullptr, false);
      if (!one.is_discarded()) results.push_back(one);
    } else if (c == ']' && depth == 0) {
      break;
    }
  }
  return results;
}

std::optional<double> number_at(const Json& values, const char* key) {
  return values.contains(key) && values[key].is_number() ? std::optional(values[key].get<double>()) : std::nullopt;
}

void read_result(const Json& row, std::size_t index, Collector& out) {
  if (!row.is_object() || !row.contains("size") || !row["size"].is_number_unsigned())
    return out.problem(fmt::format("result {}: no size", index));
  const std::uint64_t bytes = row["size"].get<std::uint64_t>();
  bool contradiction = false;
  const auto checked = [&](std::optional<double> us, std::optional<double> algbw) -> std::optional<double> {
    const std::optional<double> time_s = seconds(us);
    if (!time_s || !contradicts(bytes, *time_s, algbw.value_or(std::nan("")))) return time_s;
    contradiction = true;
    return std::nullopt;
  };
  const auto half = [&](const char* key) -> std::optional<double> {
    if (!row.contains(key) || !row[key].is_object()) return std::nullopt;
    const Json& values = row[key];
    const std::optional<double> time = number_at(values, "time");
    return checked(time ? time : number_at(values, "cpu_time"), number_at(values, "alg_bw"));
  };
  std::optional<double> out_of_place = half("out_of_place"), in_place = half("in_place");
  if (row.contains("inPlace")) {  // rccl-tests
    const bool second = number_at(row, "inPlace").value_or(0) != 0;
    (second ? in_place : out_of_place) = checked(number_at(row, "time"), number_at(row, "algBw"));
  }
  if (!out_of_place && !in_place)
    return out.problem(
        fmt::format("result {}: {}", index, contradiction ? "time and alg_bw contradict each other" : "no time above 0"));
  out.add(bytes, out_of_place, in_place);
}

}  // namespace

void parse_json_log(std::string_view text, NcclLog& log) {
  Collector out(log);
  text.remove_prefix(text.find_first_of("[{"));
  Json root = Json::parse(text, nullptr, false);
  if (root.is_array()) root = Json{{"results", root}};
  if (root.is_discarded()) {
    root = {{"results", whole_results(text)}};
    if (root["results"].empty()) throw std::invalid_argument("not valid JSON: was the file cut short?");
    out.problem(fmt::format("not valid JSON: cut short after {} results?", root["results"].size()));
    log.kind = kind_in(text.substr(0, text.find("\"results\"")));
  }
  if (!root.is_object() || !root.contains("results") || !root["results"].is_array())
    throw std::invalid_argument("no list \"results\" as nccl-tests -J writes it");
  if (root.contains("args") && root["args"].is_array() && !root["args"].empty() && root["args"][0].is_string())
    log.kind = kind_in(root["args"][0].get<std::string>());
  for (std::size_t i = 0; i < root["results"].size(); ++i) {
    const Json& row = root["results"][i];
    if (!log.kind && row.is_object() && row.contains("name") && row["name"].is_string())
      log.kind = kind_in(row["name"].get<std::string>() + "_perf");
    read_result(row, i, out);
  }
}

}  // namespace gridlock::bench

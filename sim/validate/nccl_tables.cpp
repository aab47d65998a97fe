#include "sim/validate/nccl_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "sim/bench/names.hpp"
#include "sim/validate/node_values.hpp"

namespace gridlock::validate {
namespace {

using scenario::Node;

// "NCCL_ALGO=Ring, NVLS off": the value behind `key`, empty without it.
std::string_view setting(std::string_view environment, std::string_view key) {
  const std::size_t at = environment.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = environment.substr(at + key.size());
  return rest.substr(0, rest.find_first_of(" ,;)"));
}

// "-g 8": 8; "one process": all GPUs of the node; else one a process.
int gpus_per_process(std::string_view environment, int gpus_per_node) {
  const std::string_view text = setting(environment, "-g ");
  int gpus = 1;
  if (!text.empty() && std::from_chars(text.data(), text.data() + text.size(), gpus).ec == std::errc{} && gpus > 0) return gpus;
  return environment.find("one process") != std::string_view::npos ? gpus_per_node : 1;
}

void read_environment(const std::string& environment, NcclTable& table) {
  const std::string_view algorithm = setting(environment, "NCCL_ALGO="), protocol = setting(environment, "NCCL_PROTO=");
  if (!algorithm.empty()) table.forced.algorithm = bench::parse_algorithm(algorithm);
  if (!protocol.empty()) table.forced.protocol = bench::parse_protocol(protocol);
  for (const char* key : {"NCCL_MIN_CTAS=", "NCCL_MIN_NCHANNELS="}) {
    const std::string_view channels = setting(environment, key);
    std::from_chars(channels.data(), channels.data() + channels.size(), table.min_channels);
  }
  table.nvls = setting(environment, "NCCL_NVLS_ENABLE=") != "0" && environment.find("NVLS off") == std::string::npos;
  table.gpus_per_process = gpus_per_process(environment, table.gpus_per_node);
}

std::optional<double> seconds_at(const Node& row, std::optional<std::size_t> column) {
  if (!column || *column >= row.items.size()) return std::nullopt;
  const std::optional<double> us = number_of(row.items[*column]);
  return us && *us > 0 ? std::optional(*us * 1e-6) : std::nullopt;
}

std::optional<std::size_t> column_of(const Node& columns, std::string_view name) {
  for (std::size_t i = 0; i < columns.items.size(); ++i) {
    if (columns.items[i].text == name) return i;
  }
  return std::nullopt;
}

void read_rows(const Node& map, NcclTable& table, std::vector<std::string>& problems) {
  const Node& columns = list_at(map, "columns");
  const auto size = column_of(columns, "size_bytes"), out_of_place = column_of(columns, "oop_time_us"),
             in_place = column_of(columns, "ip_time_us");
  if (!size || (!out_of_place && !in_place)) fail(columns, "columns need size_bytes, and oop_time_us or ip_time_us");
  for (const Node& row : list_at(map, "rows").items) {
    const double bytes = row.is_sequence() && *size < row.items.size() ? number_of(row.items[*size]).value_or(0) : 0;
    bench::MeasuredRow measured{0, seconds_at(row, out_of_place), seconds_at(row, in_place)};
    if (bytes < 1 || (!measured.out_of_place_s && !measured.in_place_s)) {
      problems.push_back(fmt::format("{}: line {}: no size or no time above 0", table.id, row.mark.line));
      continue;
    }
    measured.bytes = static_cast<std::uint64_t>(bytes);
    table.rows.push_back(measured);
  }
  std::ranges::stable_sort(table.rows, {}, &bench::MeasuredRow::bytes);
}

std::string source_of(const Node& map) {
  const scenario::Entry* source = map.find("source");
  if (!source) return "";
  if (source->value.is_scalar()) return source->value.text;
  for (const char* key : {"url", "repo", "archive_file_id"}) {
    if (const std::string text = text_at(source->value, key, ""); !text.empty()) return text;
  }
  return "";
}

NcclTable read_table(const Node& map, std::vector<std::string>& problems) {
  if (!map.is_map()) fail(map, "a table is a map");
  NcclTable table;
  table.mark = map.mark;
  table.id = text_at(map, "id", fmt::format("line {}", map.mark.line));
  table.quality = text_at(map, "quality", "ok");
  table.gpu = text_at(map, "gpu", "");
  table.source = source_of(map);
  table.nodes = integer_at(map, "nodes", 1);
  table.gpus_per_node = integer_at(map, "gpus_per_node", 1);
  table.ranks = integer_at(map, "ranks", table.nodes * table.gpus_per_node);
  table.fitted = text_at(map, "fitted", "false") == "true";
  if (const scenario::Entry* entry = map.find("cluster")) table.cluster = entry->value;
  if (const scenario::Entry* entry = map.find("profile")) table.profile = entry->value;
  if (const scenario::Entry* entry = map.find("left_out_profile")) table.left_out_profile = entry->value;
  table.kind = bench::parse_kind(text_at(map, "collective", ""));
  read_environment(text_at(map, "environment", ""), table);
  table.gpus_per_process = integer_at(map, "gpus_per_process", table.gpus_per_process);
  read_rows(map, table, problems);
  return table;
}

}  // namespace

NcclTables read_nccl_tables(const std::string& path) {
  NcclTables file;
  file.file = scenario::read_source(path);
  const Node root = scenario::parse_yaml(file.file, path.ends_with(".json"));
  for (const Node& map : list_at(root, "tables").items) {
    try {
      file.tables.push_back(read_table(map, file.problems));
    } catch (const std::invalid_argument& error) {
      file.problems.push_back(fmt::format("line {}: {}", map.mark.line, error.what()));
    }
  }
  return file;
}

}  // namespace gridlock::validate

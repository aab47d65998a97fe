#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "calibrate/import/node_topology.hpp"

namespace gridlock::calibrate {
namespace {

// Underlines and colours (ESC [ ... letter) are left out.
std::string plain(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
      i += 2;
      while (i < line.size() && !((line[i] >= 'A' && line[i] <= 'Z') || (line[i] >= 'a' && line[i] <= 'z'))) ++i;
    } else {
      out += line[i];
    }
  }
  return out;
}

std::vector<std::string> words(const std::string& line) {
  std::vector<std::string> out;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != std::string::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    out.push_back(line.substr(at, end - at));
    at = end;
  }
  return out;
}

// "GPU12" with the prefix "GPU": 12.
std::optional<int> numbered(const std::string& word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return std::nullopt;
  int number = 0;
  const char* begin = word.data() + prefix.size();
  const char* end = word.data() + word.size();
  const auto [at, error] = std::from_chars(begin, end, number);
  return error == std::errc{} && at == end && number >= 0 ? std::optional(number) : std::nullopt;
}

bool is_gpu(const std::string& word) { return numbered(word, "GPU").has_value(); }
bool is_nic(const std::string& word) { return numbered(word, "NIC").has_value() || word.starts_with("mlx"); }

struct Matrix {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> gpu_rows;  // cells by column
  std::set<std::string> numa;                      // nodes of the GPUs
};

Matrix parse(std::string_view text, const std::string& name) {
  Matrix matrix;
  int number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::vector<std::string> line = words(plain(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    if (line.empty() || !is_gpu(line.front())) continue;
    if (matrix.columns.empty()) {
      for (const std::string& word : line)
        if (is_gpu(word) || is_nic(word)) matrix.columns.push_back(word);
      continue;
    }
    const std::size_t columns = matrix.columns.size();
    if (line.size() < columns + 1)
      throw ImportError(fmt::format("{}:{}: {} has fewer cells than there are columns", name, number, line[0]));
    matrix.gpu_rows.emplace_back(line.begin() + 1, line.begin() + 1 + static_cast<std::ptrdiff_t>(columns));
    // CPU affinity, then the NUMA node.
    if (line.size() > columns + 2) matrix.numa.insert(line[columns + 2]);
  }
  return matrix;
}

}  // namespace

NodeTopology read_topology_matrix(std::string_view text, const std::string& name) {
  const Matrix matrix = parse(text, name);
  NodeTopology node;
  node.gpus = static_cast<int>(std::count_if(matrix.columns.begin(), matrix.columns.end(), is_gpu));
  node.nics = static_cast<int>(matrix.columns.size()) - node.gpus;
  if (node.gpus == 0 || matrix.gpu_rows.size() != static_cast<std::size_t>(node.gpus))
    throw ImportError(fmt::format("{}: no matrix as `nvidia-smi topo -m` prints it ({} GPUs in its head, {} rows)", name,
                                  node.gpus, matrix.gpu_rows.size()));
  node.sockets = std::max(static_cast<int>(matrix.numa.size()), 1);
  std::set<int> counts;  // of NVLinks between two GPUs
  for (std::size_t row = 0; row < matrix.gpu_rows.size(); ++row)
    for (std::size_t column = 0; column < static_cast<std::size_t>(node.gpus); ++column)
      if (row != column) counts.insert(numbered(matrix.gpu_rows[row][column], "NV").value_or(0));
  if (counts.size() > 1)
    throw ImportError(
        fmt::format("{}: some pairs of GPUs have {} NVLinks and others {}: the catalogue knows nodes where all pairs are alike",
                    name, *counts.begin(), *counts.rbegin()));
  if (!counts.empty()) node.nvlinks = *counts.begin();
  return node;
}

}  // namespace gridlock::calibrate

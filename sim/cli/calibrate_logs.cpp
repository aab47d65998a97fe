// Logs of nccl-tests as points. The head lists every rank, and the hosts and processes that they are on:
//   #  Rank  0 Group  0 Pid 1234 on  node-1 device  0 [0x07] NVIDIA H100
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "sim/bench/nccl_log.hpp"
#include "sim/cli/calibrate_commands.hpp"
#include "sim/scenario/diagnostic.hpp"

namespace gridlock::cli {
namespace {

LogRanks listed_in(const std::string& log) {
  LogRanks found;
  std::set<std::string> hosts, processes;
  std::istringstream in(log);
  for (std::string line; std::getline(in, line);) {
    const std::size_t hash = line.find('#');
    std::istringstream words(hash == std::string::npos ? "" : line.substr(hash + 1));
    std::string word, number, pid, host;
    if (!(words >> word >> number) || word != "Rank" || number.find_first_not_of("0123456789") != std::string::npos) continue;
    ++found.ranks;
    while (words >> word) {
      if (word == "Pid") words >> pid;
      if (word == "on" && words >> host) break;
    }
    if (host.empty()) continue;
    hosts.insert(host);
    processes.insert(host + " " + pid);
  }
  found.nodes = static_cast<int>(hosts.size());
  if (!processes.empty()) found.gpus_per_process = std::max(found.ranks / static_cast<int>(processes.size()), 1);
  return found;
}

std::string point_name(collectives::Kind kind) {
  std::string name(collectives::name(kind));
  std::replace(name.begin(), name.end(), '-', '_');
  return name == "send_recv" ? "sendrecv" : name;
}

}  // namespace

void add_log_options(CLI::App& command, LogRanks& ranks) {
  command.add_option("--ranks", ranks.ranks, "ranks of the collective, where the log does not list them")
      ->check(CLI::Range(1, 1 << 20));
  command.add_option("--nodes", ranks.nodes, "nodes they are on, where the log does not list them (default: 1)")
      ->check(CLI::Range(1, 1 << 20));
  command
      .add_option("--ngpus", ranks.gpus_per_process,
                  "GPUs that one process drives, where the log does not list them (default: 1)")
      ->check(CLI::Range(1, 1024));
}

std::vector<calibrate::Point> points_of_log(const std::string& text, const std::string& file, const LogRanks& given) {
  bench::NcclLog log;
  try {
    log = bench::parse_nccl_log(text);
  } catch (const std::invalid_argument& error) {
    throw scenario::FileError(file, fmt::format("{}: {}", file, error.what()));
  }
  for (const std::string& problem : log.problems) tell(fmt::format("warning: {}: {}\n", file, problem));
  if (log.rows.empty() || !log.kind)
    throw scenario::FileError(
        file, fmt::format("{}: no table of nccl-tests that says which collective, no CSV of products, no topology", file));
  const LogRanks listed = listed_in(text);
  const auto known = [](int said, int listed_too, int absent) { return said > 0 ? said : listed_too > 0 ? listed_too : absent; };
  const int ranks = known(given.ranks, listed.ranks, 0), nodes = known(given.nodes, listed.nodes, 1);
  if (ranks < 1) throw UsageError(fmt::format("{} does not list its ranks: add --ranks N", file));
  if (ranks % nodes != 0)
    throw UsageError(fmt::format("{}: {} ranks on {} nodes: as many on each node are needed; say --nodes N", file, ranks, nodes));
  std::vector<calibrate::Point> points;
  for (const bench::MeasuredRow& row : log.rows) {
    calibrate::Point point{point_name(*log.kind), {}, {}, {}, ""};
    point.numbers = {{"bytes", static_cast<double>(row.bytes)}, {"ranks", ranks}, {"nodes", nodes}};
    if (const int driven = known(given.gpus_per_process, listed.gpus_per_process, 1); driven > 1)
      point.numbers["gpus_per_process"] = driven;
    for (const std::optional<double>& seconds : {row.out_of_place_s, row.in_place_s})
      if (seconds) point.seconds.push_back(*seconds);
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace gridlock::cli

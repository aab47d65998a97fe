#include "sim/validate/collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/bench/benchmark.hpp"
#include "sim/scenario/load.hpp"
#include "sim/validate/node_values.hpp"
#include "topology/error.hpp"

namespace gridlock::validate {
namespace {

using scenario::Node;

// A catalogue node with more GPUs than any server is a rack that is one NVLink domain: ranks fill it before the next one.
constexpr int most_gpus_of_a_server = 16;

bool names_a_file(const Node& node) { return node.text.find('/') != std::string::npos || node.text.ends_with(".yaml"); }

// The profile with what the environment of the table says of NCCL.
Node with_environment(const NcclTable& table, const Node& profile) {
  std::vector<std::pair<std::string, Node>> settings;
  if (!table.nvls) settings.emplace_back("nvls_channels", scalar("0", table.mark));
  if (table.min_channels > 0) settings.emplace_back("min_channels", scalar(fmt::format("{}", table.min_channels), table.mark));
  if (settings.empty()) return profile;
  return map_of({{"base", profile}, {"nccl", map_of(std::move(settings), table.mark)}}, table.mark);
}

// The document of a scenario's machine: cluster and profile as the table names them.
Node machine_document(const NcclTable& table, const Node& named_profile, int nodes) {
  const scenario::Mark& mark = table.mark;
  std::vector<std::pair<std::string, Node>> root;
  const Node count = scalar(fmt::format("{}", nodes), mark);
  if (table.cluster->is_map()) {
    Node cluster = *table.cluster;
    if (!cluster.find("nodes")) cluster.entries.push_back({"nodes", mark, count});
    root.emplace_back("cluster", std::move(cluster));
  } else if (names_a_file(*table.cluster)) {
    root.emplace_back("base", *table.cluster);
    root.emplace_back("cluster", map_of({{"nodes", count}}, mark));
  } else {
    Node cluster = map_of({{"nodes", count}, {"node", *table.cluster}}, mark);
    if (nodes > 1) cluster.entries.push_back({"fabric", mark, map_of({{"kind", scalar("rail_fat_tree", mark)}}, mark)});
    root.emplace_back("cluster", std::move(cluster));
  }
  root.emplace_back("profile", with_environment(table, named_profile));
  return map_of(std::move(root), mark);
}

scenario::Scenario machine_of(const NcclTable& table, const Node& profile, const scenario::SourcePtr& file,
                              const std::vector<std::string>& overrides) {
  scenario::Scenario machine = scenario::load_cluster(machine_document(table, profile, table.nodes), file, overrides);
  const int gpus = machine.cluster.node.gpus;
  if (table.cluster->is_map() || gpus <= most_gpus_of_a_server) return machine;
  return scenario::load_cluster(machine_document(table, profile, (table.ranks + gpus - 1) / gpus), file, overrides);
}

// Racks are filled one after the other; of servers the first GPUs are used, as many on each.
std::vector<std::uint32_t> members_of(const NcclTable& table, const topology::ClusterSpec& cluster) {
  const int gpus = cluster.node.gpus, nodes = cluster.nodes;
  if (static_cast<std::int64_t>(gpus) * nodes < table.ranks)
    throw std::invalid_argument(fmt::format("{} ranks do not fit into {} nodes of {} GPUs", table.ranks, nodes, gpus));
  const bool packed = gpus > most_gpus_of_a_server || table.ranks % nodes != 0;
  const int of_node = packed ? gpus : table.ranks / nodes;
  std::vector<std::uint32_t> members;
  for (int rank = 0; rank < table.ranks; ++rank)
    members.push_back(static_cast<std::uint32_t>(rank / of_node * gpus + rank % of_node));
  return members;
}

void predict(const NcclTable& table, const Node& profile, Basis basis, const scenario::SourcePtr& file,
             const std::vector<std::string>& overrides, std::vector<CollectiveRow>& rows) {
  const scenario::Scenario machine = machine_of(table, profile, file, overrides);
  bench::Request request;
  request.kind = table.kind;
  request.forced = table.forced;
  request.gpus_per_process = table.gpus_per_process;
  request.members = members_of(table, machine.cluster);
  for (const bench::MeasuredRow& row : table.rows) request.sizes.push_back(row.bytes);
  const bench::Outcome outcome = bench::closed_form(machine, request);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const double measured = table.rows[i].best_s(), predicted = outcome.rows[i].time_s;
    const Scored scored{table.id, band_of(static_cast<double>(table.rows[i].bytes)), outcome.shape.nodes == 1, basis,
                        predicted / measured - 1};
    rows.push_back({scored, table.rows[i].bytes, measured, predicted, outcome.rows[i].candidates.front()});
  }
}

void score_table(const NcclTable& table, const scenario::SourcePtr& file, const std::vector<std::string>& overrides,
                 CollectiveScore& score) {
  predict(table, *table.profile, table.fitted ? Basis::fitted : Basis::unseen, file, overrides, score.rows);
  if (table.fitted && table.left_out_profile)
    predict(table, *table.left_out_profile, Basis::left_out, file, overrides, score.left_out);
}

}  // namespace

CollectiveScore score_collectives(const NcclTables& tables, const std::vector<std::string>& overrides) {
  CollectiveScore score;
  score.skipped = tables.problems;
  const auto skip = [&](const NcclTable& table, const std::string& why) {
    score.skipped.push_back(fmt::format("{}: {}", table.id, why));
  };
  for (const NcclTable& table : tables.tables) {
    if (table.quality != "ok") {
      skip(table, fmt::format("quality is {}", table.quality));
    } else if (!table.cluster || !table.profile) {
      skip(table, "names no cluster or no profile");
    } else {
      try {
        score_table(table, tables.file, overrides, score);
        score.most_ranks = std::max(score.most_ranks, table.ranks);
      } catch (const scenario::InvalidScenario& error) {
        skip(table, scenario::one_line(error.diagnostics.front()));
      } catch (const topology::SpecError& error) {
        skip(table, fmt::format("{}: {}", error.path, error.what()));
      } catch (const std::invalid_argument& error) {
        skip(table, error.what());
      }
    }
  }
  std::vector<Scored> rows;
  for (const CollectiveRow& row : score.rows) rows.push_back(row.scored);
  for (const CollectiveRow& row : score.left_out) rows.push_back(row.scored);
  score.summary = summarize(rows);
  return score;
}

}  // namespace gridlock::validate

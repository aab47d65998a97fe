// Small machines and programs made by hand, with round numbers, so that tests can do the algebra.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "sim/engine/executor.hpp"
#include "sim/engine/full.hpp"
#include "sim/engine/make_backend.hpp"
#include "sim/parallel/traffic.hpp"
#include "topology/router.hpp"

namespace gridlock::engine::test {

constexpr double uncapped = std::numeric_limits<double>::infinity();

// Links and flows without ranks or programs: what a backend sees.
struct Network {
  Problem problem;

  Index link(double bytes_per_s) {
    problem.links.push_back({bytes_per_s, 1, 0});
    return static_cast<Index>(problem.links.size() - 1);
  }
  // All flows are bundles of one communicator: only those can be capped.
  Index flow(const std::vector<FlowLink>& links) {
    problem.flows.push_back(
        {static_cast<std::uint32_t>(problem.flow_links.size()), static_cast<std::uint32_t>(links.size()), 1, 0, 1});
    problem.flow_links.insert(problem.flow_links.end(), links.begin(), links.end());
    if (problem.communicators.empty()) problem.communicators.resize(1), problem.communicators[0].patterns.resize(1);
    const auto f = static_cast<Index>(problem.flows.size() - 1);
    problem.communicators[0].patterns[0].flows.push_back(f);
    return f;
  }
  Index rank(double speed) {
    problem.ranks.push_back({0, speed, 1, 0});
    return static_cast<Index>(problem.ranks.size() - 1);
  }
};

// Starts what `start` says and returns when each token ended, by token.
inline std::vector<double> finish_times(const Problem& problem, std::size_t tokens, const std::function<void(Backend&)>& start,
                                        const std::function<void(Backend&, Token)>& then = {},
                                        Sharing sharing = Sharing::simgrid) {
  const std::unique_ptr<Backend> backend = make_backend(problem, sharing);
  std::vector<double> finish(tokens, -1);
  start(*backend);
  backend->run([&](Token token) {
    finish[token] = backend->now();
    if (then) then(*backend, token);
  });
  return finish;
}

// HGX-like nodes: NVLink 400, PCIe 100, NIC 50 GB/s; payload is the whole wire rate, latencies are zero.
inline topology::ClusterSpec machine(int nodes, int nics = 8) {
  topology::ClusterSpec spec;
  spec.nodes = nodes;
  spec.node.name = "hgx";
  spec.node.gpus = 8;
  spec.node.nics = nics;
  spec.node.nvlink_bytes_per_s = 400e9;
  spec.node.pcie_bytes_per_s = 100e9;
  spec.node.socket_bytes_per_s = 100e9;
  spec.node.nic_bytes_per_s = 50e9;
  spec.fabric.kind = nodes == 1 ? topology::FabricKind::none : topology::FabricKind::rail_fat_tree;
  spec.fabric.nic_bytes_per_s = 50e9;
  return spec;
}

// Channels so fast that only links bind; Ring and Simple, so that the algebra is that of a ring.
inline parallel::TrafficOptions rings() {
  parallel::TrafficOptions options;
  options.tuning.intra_channel_bytes_per_s = options.tuning.inter_channel_bytes_per_s = 1e12;
  options.tuning.intra_channels = options.tuning.inter_channels = 8;
  options.forced = {collectives::Algorithm::ring, collectives::Protocol::simple};
  return options;
}

// A step graph put together rank by rank: one program a rank, one stream unless said otherwise.
class GraphBuilder {
 public:
  explicit GraphBuilder(const std::vector<topology::GpuId>& gpus) {
    graph.communicator_slots = 2;  // 0 is the tensor group's
    graph.message_slots = 1;
    graph.rank_gpu = gpus;
    graph.rank_speed.assign(gpus.size(), 1);
    graph.rank_communicator.assign(gpus.size() * 2, parallel::none);
    graph.rank_message_out.assign(gpus.size(), parallel::none);
    graph.rank_message_in.assign(gpus.size(), parallel::none);
    for (std::size_t r = 0; r < gpus.size(); ++r) {
      graph.rank_program.push_back(static_cast<Index>(r));
      graph.programs.push_back(
          {.name = "program " + std::to_string(r), .stage = 0, .streams = 2, .tasks = {}, .dependencies = {}});
    }
  }

  Index kernel(double seconds) {
    model::BlockOp op;
    op.label = "kernel";
    op.device_s = seconds;
    graph.blocks.push_back({"block", {op}});
    graph.block_calls.push_back({parallel::none});
    return static_cast<Index>(graph.blocks.size() - 1);
  }
  Index call(collectives::Kind kind, double bytes) {
    graph.calls.push_back({"call", kind, bytes});
    return static_cast<Index>(graph.calls.size() - 1);
  }
  Index transfer(double bytes) {
    graph.transfers.push_back({"message", bytes});
    return static_cast<Index>(graph.transfers.size() - 1);
  }
  void communicator(std::vector<parallel::RankId> members, std::uint8_t slot = 1) {
    for (parallel::RankId r : members) graph.rank_communicator[r * 2 + slot] = static_cast<Index>(graph.communicators.size());
    graph.communicators.push_back({parallel::Dimension::data, slot, std::move(members)});
  }
  void message(parallel::RankId from, parallel::RankId to) {
    graph.rank_message_out[from] = graph.rank_message_in[to] = static_cast<Index>(graph.messages.size());
    graph.messages.push_back({from, to, 0, 0});
  }
  // Appends a task to a rank's program; `after` are tasks of the same program.
  Index task(parallel::RankId rank, parallel::TaskKind kind, Index what, std::uint8_t stream = 0,
             const std::vector<Index>& after = {}) {
    parallel::Program& program = graph.programs[rank];
    parallel::Task task{.kind = kind, .stream = stream, .what = what};
    task.slot = kind == parallel::TaskKind::collective ? 1 : 0;
    task.first_dependency = static_cast<Index>(program.dependencies.size());
    task.dependency_count = static_cast<std::uint16_t>(after.size());
    program.dependencies.insert(program.dependencies.end(), after.begin(), after.end());
    program.tasks.push_back(task);
    return static_cast<Index>(program.tasks.size() - 1);
  }

  parallel::StepGraph graph;
};

}  // namespace gridlock::engine::test

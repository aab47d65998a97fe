// A pipeline whose forward pass of a chunk takes f and whose backward pass takes b, with free messages: what schedules cost in
// themselves.
#pragma once

#include <vector>

#include "sim/engine/full.hpp"
#include "sim/parallel/program.hpp"
#include "sim/parallel/traffic.hpp"
#include "topology/fabric.hpp"

namespace gridlock::engine::test {

struct ToyPipeline {
  parallel::StepGraph graph;
  parallel::Traffic traffic;
  topology::Fabric fabric;

  ToyPipeline(scenario::Schedule schedule, int stages, int micro_batches, int chunks, double f, double b, bool overlap_p2p) {
    const auto block = [&](const char* name, std::vector<double> kernels) {
      model::Block one{name, {}};
      for (double seconds : kernels) {
        one.ops.emplace_back();
        one.ops.back().device_s = seconds;
      }
      graph.block_calls.emplace_back(kernels.size(), parallel::none);
      graph.blocks.push_back(std::move(one));
      return static_cast<Index>(graph.blocks.size() - 1);
    };
    parallel::StageParts parts;
    parts.stages = stages;
    parts.chunks = chunks;
    parts.micro_batches = micro_batches;
    parts.schedule = schedule;
    parts.overlap_p2p = overlap_p2p;
    parts.chunk_layers.assign(static_cast<std::size_t>(chunks), 1);
    parts.layer_forward = block("forward", {f});
    parts.layer_backward = block("backward", {b / 2, b / 2});
    parts.embedding_forward = parts.embedding_backward = parts.head_forward = parts.head_backward = block("nothing", {});
    parts.gradient_norm = parts.optimizer = parts.embedding_forward;
    graph.transfers = {{"pp.forward", 0}, {"pp.backward", 0}};
    parts.forward_transfer = 0;
    parts.backward_transfer = 1;
    graph.communicator_slots = parallel::comm_slot::count;
    graph.message_slots = parallel::message_slot::count;
    const auto ranks = static_cast<parallel::RankId>(stages);
    graph.rank_communicator.assign(ranks * std::size_t{parallel::comm_slot::count}, parallel::none);
    graph.rank_message_out.assign(ranks * 2, parallel::none);
    graph.rank_message_in.assign(ranks * 2, parallel::none);
    for (parallel::RankId r = 0; r < ranks; ++r) {
      parts.stage = static_cast<int>(r);
      graph.programs.push_back(parallel::make_program(graph, parts));
      graph.rank_program.push_back(r);
      graph.rank_gpu.push_back(r);
      graph.rank_speed.push_back(1);
      for (std::uint8_t slot = 0; slot < 2; ++slot) {
        const parallel::RankId to = (r + (slot == 0 ? 1 : ranks - 1)) % ranks;
        graph.rank_message_out[r * 2 + slot] = graph.rank_message_in[to * 2 + slot] = static_cast<Index>(graph.messages.size());
        graph.messages.push_back({r, to, slot, slot});
        traffic.message_edge.push_back(static_cast<Index>(traffic.edges.size()));
        traffic.edges.emplace_back();  // no links, no latency
      }
    }
    traffic.calls = graph.calls.size();
  }

  Problem problem() const { return full_problem(graph, traffic, fabric); }
};

}  // namespace gridlock::engine::test

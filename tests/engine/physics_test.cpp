// Whole calls and messages on a fabric against closed forms, folded and full.
#include <gtest/gtest.h>

#include "hand_made.hpp"
#include "run_in_child.hpp"
#include "sim/analysis/loads.hpp"
#include "sim/engine/simulate.hpp"

namespace gridlock::engine::test {
namespace {

using collectives::Kind;
using parallel::TaskKind;

constexpr double nic = 50e9, gib = 1073741824;

void expect_close(double found, double expected) { EXPECT_NEAR(found, expected, 1e-9 * expected); }

// {seconds of rank 0's last task, latency of call 0 or of the first message, NVLink bytes, PCIe bytes of GPUs, NIC bytes}.
struct Outcome {
  double seconds, latency, nvlink_bytes, pcie_bytes, nic_bytes;
};

Outcome run(const GraphBuilder& built, const topology::ClusterSpec& spec, bool fold,
            const std::vector<topology::LinkFault>& faults = {}) {
  const std::vector<double> numbers = run_in_child([&]() -> std::vector<double> {
    const auto s = simulate(topology::build_fabric(spec, {}, faults), built.graph, rings(), 1, {.fold = fold});
    const analysis::LinkLoads loads = analysis::measure_loads(analysis::History(s->problem, s->timeline));
    std::vector<double> bytes(3, 0);
    for (topology::LinkId l = 0; l < s->fabric.link_count(); ++l) {
      const Index c = s->problem.class_of_link[l];
      if (c == none) continue;
      const topology::LinkKind kind = s->fabric.link(l).kind;
      if (kind == topology::LinkKind::nvlink) bytes[0] += loads.bytes[c];
      if (kind == topology::LinkKind::pcie) bytes[1] += loads.bytes[c];
      if (kind == topology::LinkKind::nic) bytes[2] += loads.bytes[c];
    }
    const double latency = s->graph.calls.empty() ? s->traffic.edges[s->traffic.message_edge[0]].latency_s
                                                  : s->traffic.plan(s->traffic.communicators[0].shape, 0).choice.latency_s;
    return {s->timeline.ranks[s->problem.class_of_rank[0]].tasks.back().finish, latency, bytes[0], bytes[1], bytes[2]};
  });
  return {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
}

// All-reduce of `bytes` over the given GPUs, all at once.
GraphBuilder all_reduce(const std::vector<topology::GpuId>& gpus, double bytes) {
  GraphBuilder built(gpus);
  std::vector<parallel::RankId> members;
  const Index call = built.call(Kind::all_reduce, bytes);
  for (parallel::RankId r = 0; r < gpus.size(); ++r) {
    members.push_back(r);
    built.task(r, TaskKind::collective, call);
  }
  built.communicator(members);
  return built;
}

std::vector<topology::GpuId> first_gpus(std::uint32_t n) {
  std::vector<topology::GpuId> gpus(n);
  for (std::uint32_t i = 0; i < n; ++i) gpus[i] = i;
  return gpus;
}

class Physics : public ::testing::TestWithParam<bool> {};

// 1 GB over the 16 GPUs of two nodes: 2 * 15/16 GB go over each ring edge in all, an eighth of it over each NIC:
// 1.875 GB / 8 / 50 GB/s = 4.6875 ms. (NVLink carries 7/8 of 1.875 GB at 400 GB/s: 4.1 ms, less.)
TEST_P(Physics, RingAllReduceAlone) {
  const Outcome r = run(all_reduce(first_gpus(16), 1e9), machine(2), GetParam());
  expect_close(r.seconds - r.latency, 1.875e9 / 8 / nic);
  expect_close(r.nic_bytes, 2 * 16 * 1.875e9 / 8);  // 16 NICs, out and in
}

// Inside one node every NVLink carries 2 * 7/8 GB each way: 1.75 GB / 400 GB/s.
TEST_P(Physics, RingAllReduceInsideANode) {
  const Outcome r = run(all_reduce(first_gpus(8), 1e9), machine(1), GetParam());
  expect_close(r.seconds - r.latency, 1.75e9 / 400e9);
  EXPECT_EQ(r.nic_bytes, 0);
}

// One NIC at a tenth: its channel, an eighth of the bytes, takes ten times as long, and the call with it.
TEST_P(Physics, OneDegradedNicSlowsTheWholeCall) {
  const Outcome r = run(all_reduce(first_gpus(16), 1e9), machine(2), GetParam(), {{"node1.nic3:*", 0.1}});
  expect_close(r.seconds - r.latency, 1.875e9 / 8 / (0.1 * nic));
}

// GPUs 0 and 1 share a NIC, on both nodes: two communicators of one GPU a node halve each other.
// Alone: 2 * 1/2 GB over the NIC at 50 GB/s.
TEST_P(Physics, TwoCommunicatorsOnOneNicHalve) {
  const auto build = [](bool both) {
    GraphBuilder built({0, 8, 1, 9});
    const Index call = built.call(Kind::all_reduce, 1e9);
    built.communicator({0, 1});
    built.communicator({2, 3});
    for (parallel::RankId r = 0; r < (both ? 4u : 2u); ++r) built.task(r, TaskKind::collective, call);
    return built;
  };
  const Outcome alone = run(build(false), machine(2, 4), GetParam()), shared = run(build(true), machine(2, 4), GetParam());
  expect_close(alone.seconds - alone.latency, 1e9 / nic);
  expect_close(shared.seconds - shared.latency, 2e9 / nic);
}

// GPU 0 to GPU 9, another node and another rail: over NVLink to GPU 1, then through NIC 1. The NICs hold it to 50 GB/s.
TEST_P(Physics, OtherNodeOtherRail) {
  const auto message = [](topology::GpuId to) {
    GraphBuilder built({0, to});
    built.message(0, 1);
    const Index transfer = built.transfer(gib);
    built.task(0, TaskKind::send, transfer);
    built.task(1, TaskKind::receive, transfer);
    return built;
  };
  const Outcome inside = run(message(1), machine(2), GetParam());
  expect_close(inside.seconds - inside.latency, gib / 400e9);
  const Outcome same_rail = run(message(8), machine(2), GetParam());
  expect_close(same_rail.seconds - same_rail.latency, gib / nic);
  EXPECT_EQ(same_rail.nvlink_bytes, 0);
  const Outcome crossing = run(message(9), machine(2), GetParam());
  expect_close(crossing.seconds - crossing.latency, gib / nic);
  expect_close(crossing.nvlink_bytes, 2 * gib);  // up to the NVSwitch and down to GPU 1
  expect_close(crossing.nic_bytes, 2 * gib);
}

// Two senders on two nodes, one receiver: they share its NIC.
TEST_P(Physics, IncastOfTwoMessages) {
  GraphBuilder built({8, 16, 0});
  built.graph.message_slots = 2;  // the receiver takes one message in each slot
  built.graph.rank_message_out.assign(6, parallel::none);
  built.graph.rank_message_in.assign(6, parallel::none);
  built.graph.messages = {{0, 2, 0, 0}, {1, 2, 0, 1}};
  built.graph.rank_message_out[0] = 0, built.graph.rank_message_out[2] = 1;
  built.graph.rank_message_in[4] = 0, built.graph.rank_message_in[5] = 1;
  const Index transfer = built.transfer(gib);
  built.task(0, TaskKind::send, transfer);
  built.task(1, TaskKind::send, transfer);
  built.task(2, TaskKind::receive, transfer, 0);
  built.task(2, TaskKind::receive, transfer, 1);
  built.graph.programs[2].tasks[1].slot = 1;
  const Outcome r = run(built, machine(3), GetParam());
  expect_close(r.seconds - r.latency, 2 * gib / nic);
}

// Doubling the bytes doubles the time of the flow.
TEST_P(Physics, TwiceTheBytesTwiceTheTime) {
  const Outcome one = run(all_reduce(first_gpus(16), 1e9), machine(2), GetParam()),
                two = run(all_reduce(first_gpus(16), 2e9), machine(2), GetParam());
  expect_close(two.seconds - two.latency, 2 * (one.seconds - one.latency));
}

INSTANTIATE_TEST_SUITE_P(Engine, Physics, ::testing::Bool(), [](const auto& fold) { return fold.param ? "Folded" : "Full"; });

}  // namespace
}  // namespace gridlock::engine::test

// Collectives that fight: what sharing a NIC, an uplink or a hash costs, against closed forms.

#include "sim/bench/concurrent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "collectives/fluid.hpp"
#include "collectives/p2p.hpp"
#include "sim/bench/cluster_source.hpp"
#include "sim/bench/concurrent_spec.hpp"
#include "sim/bench/job.hpp"
#include "tests/engine/run_in_child.hpp"

namespace gridlock::bench {
namespace {

using collectives::Kind;

// Channels so fast that links alone bound a pair.
scenario::Scenario machine(int nodes, std::vector<std::string> changes = {}) {
  changes.push_back("profile.nccl.inter_channel_bandwidth=200GBps");
  return load_cluster({"hgx-h100", nodes, "", ""}, changes);
}

Request send(std::vector<std::uint32_t> members, std::uint64_t bytes = 1 << 30) {
  Request request;
  request.kind = Kind::send_recv;
  request.members = std::move(members);
  request.sizes = {bytes};
  return request;
}

// alone and together of each, one after the other, and the number of groups of shared links.
std::vector<double> fight(const scenario::Scenario& scenario, const std::vector<Request>& requests, bool folded = true) {
  return engine::test::run_in_child([&] {
    const Together together = simulate_together(scenario, requests, folded);
    std::vector<double> seconds;
    for (const Contender& c : together.fights.front().contenders) seconds.insert(seconds.end(), {c.row.time_s, c.together_s});
    seconds.push_back(static_cast<double>(together.fights.front().shared.size()));
    return seconds;
  });
}

// Four NICs for eight GPUs: GPUs 0 and 1 of a node share one. Each pair needs the NIC for B / C; together twice that, and the
// latency l once: together - l = 2 (alone - l).
TEST(Concurrent, TwoCommunicatorsOnOneNic) {
  const scenario::Scenario m = machine(2, {"cluster.node.nics=4"});
  const double nic = 50e9 * m.profile.links.nic_efficiency;
  for (const bool folded : {true, false}) {
    const std::vector<double> t = fight(m, {send({0, 8}), send({1, 9})}, folded);
    const double bytes = 1 << 30, latency = t[0] - bytes / nic;
    EXPECT_GT(latency, 0);
    EXPECT_LT(latency, 100e-6);
    EXPECT_NEAR((t[1] - latency) / (2 * bytes / nic), 1, 1e-9);
    EXPECT_NEAR(t[3] / t[1], 1, 1e-12);
    EXPECT_GT(t[4], 0);
  }
}

// The smaller one, of half the bytes, ends after sharing: B at C/2. The larger then has B/2 left at full speed: 1.5 B / C. Their
// latencies differ by nanoseconds, as the fill depends on the size.
TEST(Concurrent, TheLongerOneSpeedsUpWhenTheOtherEnds) {
  const scenario::Scenario m = machine(2, {"cluster.node.nics=4"});
  const double nic = 50e9 * m.profile.links.nic_efficiency, bytes = 1 << 30;
  const std::vector<double> t = fight(m, {send({0, 8}), send({1, 9}, 1 << 29)});
  const double latency = t[0] - bytes / nic;
  EXPECT_NEAR((t[1] - latency) / (1.5 * bytes / nic), 1, 1e-5);
  EXPECT_NEAR((t[3] - latency) / (bytes / nic), 1, 1e-5);
}

TEST(Concurrent, ApartTheyDoNotMeet) {
  const std::vector<double> t = fight(machine(2), {send({0, 8}), send({1, 9})});
  EXPECT_NEAR(t[1] / t[0], 1, 1e-9);
  EXPECT_NEAR(t[3] / t[2], 1, 1e-9);
  EXPECT_EQ(t[4], 0);
}

// Nodes 0 and 1 on one set of leaves, 2 and 3 on another; leaves with 4 : 1 oversubscription have one uplink for two NICs of a
// rail (and half a cable spare): two nodes that send to the others at once share it.
TEST(Concurrent, OversubscribedUplinks) {
  const std::vector<std::string> narrow{"cluster.fabric.scalable_unit=2", "cluster.fabric.leaf_radix=10",
                                        "cluster.fabric.oversubscription.leaf=4"};
  const scenario::Scenario m = machine(4, narrow);
  const std::vector<double> t = fight(m, {send({0, 16}), send({8, 24})});
  EXPECT_GT(t[1] / t[0], 1.01);
  EXPECT_GT(t[4], 0);
  const std::vector<double> wide =
      fight(machine(4, {"cluster.fabric.scalable_unit=2", "cluster.fabric.leaf_radix=10"}), {send({0, 16}), send({8, 24})});
  EXPECT_NEAR(wide[1] / wide[0], 1, 1e-9);
}

// Under ecmp some seed sends both flows over one uplink (twice the time), and some other keeps them apart (no change). Spread
// over 16 queue pairs, which are hashed one by one, no seed is as bad as one collision or as good as none.
TEST(Concurrent, EcmpCollisionsAndQueuePairs) {
  const auto slowdowns = [](std::vector<std::string> changes) {
    changes.insert(changes.end(),
                   {"cluster.fabric.routing=ecmp", "cluster.fabric.scalable_unit=2", "cluster.fabric.leaf_radix=8"});
    std::vector<double> ratios;
    for (int seed = 1; seed <= 8; ++seed) {
      std::vector<std::string> seeded = changes;
      seeded.push_back("seed=" + std::to_string(seed));
      const std::vector<double> t = fight(machine(4, seeded), {send({0, 16}, 8ull << 30), send({8, 24}, 8ull << 30)});
      ratios.push_back(t[1] / t[0]);
    }
    return ratios;
  };
  // A cable between switches carries a little more than a NIC: two NICs over one take 2 C_nic / C_cable times as long.
  const topology::LinkParameters links = machine(4).profile.links;
  const std::vector<double> one = slowdowns({});
  EXPECT_NEAR(*std::ranges::max_element(one), 2 * links.nic_efficiency / links.switch_efficiency, 0.01);
  EXPECT_NEAR(*std::ranges::min_element(one), 1, 1e-9);
  const std::vector<double> many = slowdowns({"cluster.fabric.queue_pairs=16"});
  EXPECT_LT(*std::ranges::max_element(many), *std::ranges::max_element(one) - 0.05);
}

// The same from the routes alone: four flows, a direction each, share their links max-min fairly.
TEST(Concurrent, QueuePairsAgreeWithTheRoutes) {
  for (const char* queue_pairs : {"1", "2", "16"}) {
    const scenario::Scenario m =
        machine(4, {"cluster.fabric.routing=ecmp", "cluster.fabric.scalable_unit=2", "cluster.fabric.leaf_radix=8", "seed=3",
                    std::string("cluster.fabric.queue_pairs=") + queue_pairs});
    const std::vector<double> t = fight(m, {send({0, 16}), send({8, 24})});
    const Machine laid(m);
    std::vector<collectives::Bundle> edges;
    for (const std::vector<topology::GpuId>& gpus : {std::vector<topology::GpuId>{0, 16}, {8, 24}})
      for (const collectives::Bundle& edge :
           collectives::exchange_pattern(laid.router, gpus, collectives::Exchange::even(Kind::send_recv, 2)).bundles)
        edges.push_back(edge);
    std::vector<collectives::Flow> flows, first;
    for (const collectives::Bundle& edge : edges) flows.push_back({edge.links, 1 << 30});
    first.assign(flows.begin(), flows.begin() + 2);
    const double alone = std::ranges::max(collectives::finish_times_s(laid.fabric, first));
    const std::vector<double> together = collectives::finish_times_s(laid.fabric, flows);
    const double latency = t[0] - alone;
    EXPECT_GT(latency, 0);
    EXPECT_NEAR((t[1] - latency) / std::max(together[0], together[1]), 1, 1e-9) << queue_pairs;
    EXPECT_NEAR((t[3] - latency) / std::max(together[2], together[3]), 1, 1e-9) << queue_pairs;
  }
}

TEST(Concurrent, FoldedEqualsFull) {
  const scenario::Scenario m = machine(8);
  Request all;
  all.kind = Kind::all_reduce;
  all.sizes = {1 << 20, 1 << 28};
  Request pairs;
  pairs.kind = Kind::all_to_all;
  Request levels;
  levels.kind = Kind::all_gather;
  levels.two_level = true;
  const std::vector<double> folded = fight(m, {all, pairs, levels}), full = fight(m, {all, pairs, levels}, false);
  for (std::size_t i = 0; i < folded.size(); ++i) EXPECT_NEAR(folded[i] / full[i], 1, 1e-9) << i;
}

TEST(ConcurrentSpec, IsReadWithAllItsParts) {
  const Request request = parse_concurrent("all_to_all:ranks=8-11,16:size=64M:imbalance=2", 64);
  EXPECT_EQ(request.kind, Kind::all_to_all);
  EXPECT_EQ(request.members, (std::vector<std::uint32_t>{8, 9, 10, 11, 16}));
  EXPECT_EQ(request.sizes, (std::vector<std::uint64_t>{64u << 20}));
  EXPECT_EQ(request.exchange->ranks(), 5u);
  EXPECT_TRUE(parse_concurrent("all-reduce:two-level", 8).two_level);
  for (const char* wrong : {"all-redu", "all-reduce:rank=3", "all-reduce:size", "all-reduce:size=", "all-reduce:channels=0.5",
                            "all-reduce:ranks=3-1", "all-reduce:two-level=2", "all-to-all:imbalance=9:ranks=0-3", "all-reduce:"})
    EXPECT_THROW(parse_concurrent(wrong, 64), std::invalid_argument) << wrong;
}

}  // namespace
}  // namespace gridlock::bench

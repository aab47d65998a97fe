#include "collectives/time.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "tests/collectives/test_cluster.hpp"
#include "tests/collectives/units.hpp"

namespace gridlock::collectives {
namespace {

using test::Machine;

Choice ring_choice(double latency_s = 0) {
  Choice choice;
  choice.latency_s = latency_s;
  return choice;
}

double ring_time(const Machine& m, const std::vector<topology::GpuId>& gpus, const Choice& choice, double bytes) {
  return idle_time_s(m.fabric, ring_pattern(m.fabric, m.router, gpus), choice, Kind::all_reduce, static_cast<int>(gpus.size()),
                     bytes);
}

// 1 GB over 4 GPUs of a node: 1.5 GB on every edge, NVLink 400 GB/s: 3.75 ms.
TEST(IdleTime, OneNodeRingIsBoundByNvlink) {
  const Machine m(1);
  EXPECT_NEAR(ring_time(m, test::members(1, 4), ring_choice(10 * us), 1 * gb), 10 * us + 1.5 * gb / (400 * gb), 1e-12);
}

// A bus cap of 240 GB/s below the link: 1.5 GB / 240 GB/s. LL doubles the wire: 3 GB at min(2 * 87.7, 400).
TEST(IdleTime, BusCapIsInPayload) {
  const Machine m(1);
  Choice choice = ring_choice();
  choice.bus_cap_bytes_per_s = 240 * gb;
  EXPECT_NEAR(ring_time(m, test::members(1, 4), choice, 1 * gb), 1.5 / 240, 1e-12);
  choice.bus_cap_bytes_per_s = 87.7 * gb;
  choice.wire_inflation = 2;
  EXPECT_NEAR(ring_time(m, test::members(1, 4), choice, 1 * gb), 1.5 / 87.7, 1e-12);
  choice.bus_cap_bytes_per_s = 300 * gb;  // 600 on the wire: the link of 400 is slower
  EXPECT_NEAR(ring_time(m, test::members(1, 4), choice, 1 * gb), 3.0 / 400, 1e-12);
}

// n = 2 nodes of m members; W = 2 (nm-1)/(nm) GB over m NICs of 50 GB/s: W / (50 m); NVLink (m-1)/m W / 400 never binds.
TEST(IdleTime, RailRingIsBoundByNics) {
  const Machine m(2);
  for (const int per_node : {1, 2, 4, 8}) {
    const double n = 2.0 * per_node, wire = 2 * (n - 1) / n * gb;
    const double nic = wire / (50 * gb * per_node), nvlink = wire * (per_node - 1) / per_node / (400 * gb);
    EXPECT_NEAR(ring_time(m, test::members(2, per_node), ring_choice(), 1 * gb), std::max(nic, nvlink), 1e-12) << per_node;
  }
}

// A NIC at half speed slows the whole communicator: bytes are split over channels beforehand. Channels c and c-1 cross NIC c.
TEST(IdleTime, OneSlowNicSlowsTheRing) {
  const auto spec = test::cluster(2);
  const topology::Fabric fabric = topology::build_fabric(spec, {}, {{"node0.nic0->*", 0.5}});
  const topology::Router router(fabric, 1);
  const auto gpus = test::members(2, 8);
  const Pattern pattern = ring_pattern(fabric, router, gpus);
  const double wire = 2 * 15.0 / 16 * gb;
  EXPECT_NEAR(idle_time_s(fabric, pattern, ring_choice(), Kind::all_reduce, 16, 1 * gb), wire / 8 / (25 * gb), 1e-12);
}

TEST(IdleTime, PatternAndChoiceMustAgree) {
  const Machine m(1);
  Choice choice;
  choice.algorithm = Algorithm::tree;
  EXPECT_THROW(ring_time(m, test::members(1, 4), choice, 1), std::logic_error);
}

// The tuner's estimates of rings hold in the flow model when links are faster than the channels; only the fill comes on top. Not
// so LL between two nodes: a channel of the network passes 3.3 GB/s, 26.4 in all, where the tuner counts on 39 (on four: 20.4).
TEST(IdleTime, ReproducesTheTunersRingOnAnIdleFabric) {
  const Machine m(4);
  TuningParameters p;
  p.intra_channels = 8;
  p.intra_channel_bytes_per_s = 10 * gb;
  p.inter_channels = 1;
  p.inter_channel_bytes_per_s = 10 * gb;
  for (const int nodes : {1, 2, 4}) {
    const auto gpus = test::members(nodes, 8);
    const auto shape = communicator_shape(m.fabric, m.router, gpus);
    const Pattern pattern = ring_pattern(m.fabric, m.router, gpus);
    for (const Kind kind : {Kind::all_reduce, Kind::all_gather, Kind::reduce_scatter, Kind::broadcast, Kind::reduce}) {
      for (const Choice& choice : candidates(kind, 1e8, shape, p, {.algorithm = Algorithm::ring})) {
        const double time = idle_time_s(m.fabric, pattern, choice, kind, shape.ranks, 1e8);
        if (choice.protocol == Protocol::ll && nodes == 2) {
          EXPECT_NEAR(choice.bus_cap_bytes_per_s, 26.4 * gb, 1);
          continue;
        }
        EXPECT_NEAR(time - choice.fill_s, choice.predicted_s, 1e-9 * choice.predicted_s);
      }
    }
  }
}

// Per algorithm and protocol, alone on an idle fabric.
struct Monotone {
  bool nvlink;
  Machine fast{spec(nvlink, 1)}, slow{spec(nvlink, 0.6)};

  static topology::ClusterSpec spec(bool nvlink, double factor) {
    topology::ClusterSpec spec = test::cluster(4);
    spec.fabric.sharp = true;
    if (!nvlink) spec.node.kind = topology::NodeKind::pcie;
    for (double* speed : {&spec.fabric.nic_bytes_per_s, &spec.node.nvlink_bytes_per_s, &spec.node.pcie_bytes_per_s,
                          &spec.node.socket_bytes_per_s})
      *speed *= factor;
    return spec;
  }

  // All that a profile says of bandwidth, times a factor each.
  static TuningParameters profile(const std::vector<double>& factors) {
    TuningParameters p;
    p.pat = true;
    p.intra_channels = 12;
    p.inter_channels = 1;
    p.nvls_channels = 8;
    p.intra_channel_bytes_per_s = 30 * gb * factors[0];
    p.inter_channel_bytes_per_s = 48 * gb * factors[1];
    p.nvls_channel_bytes_per_s = 60 * gb * factors[2];
    p.nvls_inter_channel_bytes_per_s = 48 * gb * factors[3];
    p.nvls_bytes_per_s = 275 * gb * factors[4];
    p.p2p_bytes_per_s = 300 * gb * factors[5];
    p.channel_copy_bytes_per_s = 20 * gb * factors[6];
    return p;
  }

  static double time(const Machine& machine, const std::vector<topology::GpuId>& gpus, Kind kind, double bytes,
                     const TuningParameters& p, const Override& same) {
    const CommunicatorShape shape = communicator_shape(machine.fabric, machine.router, gpus);
    const Choice choice = candidates(kind, bytes, shape, p, same).front();
    const Pattern pattern = make_pattern(choice.algorithm, kind, machine.fabric, machine.router, gpus);
    return idle_time_s(machine.fabric, pattern, choice, kind, shape.ranks, bytes);
  }

  // More bytes, slower links, a slower profile: none ever takes less time.
  void check() const {
    const auto gpus = test::members(*rc::gen::inRange(1, 5), *rc::gen::inRange(1, 9));
    RC_PRE(gpus.size() >= 2);
    const Kind kind = *rc::gen::element(Kind::all_reduce, Kind::reduce_scatter, Kind::all_gather, Kind::broadcast, Kind::reduce,
                                        Kind::all_to_all, Kind::send_recv, Kind::gather, Kind::scatter);
    const double bytes = std::exp2(*rc::gen::inRange(30, 330) / 10.0), more = bytes * (1 + *rc::gen::inRange(0, 100) / 50.0);
    const TuningParameters whole = profile(std::vector<double>(7, 1));
    std::vector<double> factors;
    for (int i = 0; i < 7; ++i) factors.push_back(*rc::gen::inRange(1, 11) / 10.0);
    const TuningParameters less = profile(factors);
    const CommunicatorShape shape = communicator_shape(fast.fabric, fast.router, gpus);
    for (const Choice& choice : candidates(kind, bytes, shape, whole)) {
      const Override same{choice.algorithm, choice.protocol};
      const double least = time(fast, gpus, kind, bytes, whole, same) * (1 - 1e-12);
      RC_ASSERT(time(fast, gpus, kind, more, whole, same) >= least);
      RC_ASSERT(time(slow, gpus, kind, bytes, whole, same) >= least);
      RC_ASSERT(time(fast, gpus, kind, bytes, less, same) >= least);
    }
  }
};

TEST(IdleTime, IsMonotoneOverNvlink) {
  const Monotone machines{true};
  EXPECT_TRUE(rc::check([&] { machines.check(); }));
}

TEST(IdleTime, IsMonotoneOverPcie) {
  const Monotone machines{false};
  EXPECT_TRUE(rc::check([&] { machines.check(); }));
}

}  // namespace
}  // namespace gridlock::collectives

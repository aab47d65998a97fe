#include "collectives/collnet.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "collectives/time.hpp"
#include "tests/collectives/test_cluster.hpp"

namespace gridlock::collectives {
namespace {

using test::Machine;

topology::ClusterSpec sharp(int nodes) {
  topology::ClusterSpec spec = test::cluster(nodes);
  spec.fabric.sharp = true;
  return spec;
}

// 1 GB over 4 nodes of 8: each NIC moves its rail's 1/8 GB once out and once in, whatever the number of nodes.
TEST(CollNet, EveryNicMovesItsRailOnceEachWay) {
  const Machine m(sharp(4));
  for (const Algorithm algorithm : {Algorithm::collnet_direct, Algorithm::collnet_chain, Algorithm::nvls}) {
    const std::vector<double> load = test::loads(m.fabric, collnet_pattern(algorithm, m.fabric, m.router, test::members(4, 8)));
    for (std::size_t nic = 0; nic < 32; ++nic) {
      EXPECT_NEAR(test::nic_out(m, load, nic), 1.0 / 8, 1e-12) << name(algorithm);
      EXPECT_NEAR(test::nic_in(m, load, nic), 1.0 / 8, 1e-12) << name(algorithm);
    }
  }
}

// NVLink out of a member: Direct: its part of the 7 rails of others and 7 results of its own, 14/8; NVLS: 1 and 1/8 as head;
// Chain: over 8 rails each member is once the end (one edge) and 7 times inside (two edges): 15/8 edges less the head's... each
// chain of 8 members has 7 edges both ways, so 7 * 2 / 8 on average out of every member.
TEST(CollNet, NvlinkOfAMember) {
  const Machine m(sharp(2));
  const auto out = [&](Algorithm algorithm) {
    return test::nvlink_out(m, test::loads(m.fabric, collnet_pattern(algorithm, m.fabric, m.router, test::members(2, 8))), 3);
  };
  EXPECT_NEAR(out(Algorithm::collnet_direct), 14.0 / 8, 1e-12);
  EXPECT_NEAR(out(Algorithm::collnet_chain), 14.0 / 8, 1e-12);
  EXPECT_NEAR(out(Algorithm::nvls), 9.0 / 8, 1e-12);
}

// 1 GB, one GPU a node: through its NIC of 50 GB/s once, 20 ms, for 2 nodes as for 8.
TEST(CollNet, TimeDoesNotGrowWithTheNodes) {
  for (const int nodes : {2, 8}) {
    const Machine m(sharp(nodes));
    const auto gpus = test::members(nodes, 1);
    Choice choice;
    choice.algorithm = Algorithm::collnet_chain;
    EXPECT_NEAR(idle_time_s(m.fabric, collnet_pattern(Algorithm::collnet_chain, m.fabric, m.router, gpus), choice,
                            Kind::all_reduce, nodes, 1e9),
                0.020, 1e-12);
  }
}

// Latency of a chain of one GPU a node: 30 us over the network; of Direct over 8: 2 (3.7 + 0.4 * 7) + 31 = 44 us.
TEST(CollNet, IsACandidateWhereTheFabricReduces) {
  CommunicatorShape shape{.ranks = 32, .nodes = 4, .ranks_per_node = 8, .rails = 8, .sharp = true};
  TuningParameters p{
      .intra_channel_bytes_per_s = 30e9, .intra_channels = 12, .inter_channel_bytes_per_s = 48e9, .inter_channels = 1};
  const Override direct{.algorithm = Algorithm::collnet_direct};
  EXPECT_NEAR(candidates(Kind::all_reduce, 1e6, shape, p, direct).front().latency_s, 44e-6, 1e-12);
  shape.sharp = false;
  EXPECT_THROW(candidates(Kind::all_reduce, 1e6, shape, p, direct), std::invalid_argument);
  shape.sharp = true;
  EXPECT_THROW(candidates(Kind::all_gather, 1e6, shape, p, direct), std::invalid_argument);
}

// A connection of 4 queue pairs of 1.5 GB/s and a channel on each of 2 NICs: 12 GB/s; LL puts twice the bytes on the wire.
TEST(Connections, BoundTheChannels) {
  CommunicatorShape shape{.ranks = 4, .nodes = 2, .ranks_per_node = 2, .rails = 2, .connection_bytes_per_s = 6e9};
  TuningParameters p{
      .intra_channel_bytes_per_s = 30e9, .intra_channels = 12, .inter_channel_bytes_per_s = 48e9, .inter_channels = 1};
  const auto cap = [&](Protocol protocol) {
    return candidates(Kind::all_gather, 1e8, shape, p, {.algorithm = Algorithm::ring, .protocol = protocol})
        .front()
        .bus_cap_bytes_per_s;
  };
  EXPECT_NEAR(cap(Protocol::simple), 12e9, 1);
  EXPECT_NEAR(cap(Protocol::ll), 6e9, 1);
  EXPECT_NEAR(candidates(Kind::send_recv, 1e8, shape, p).front().bus_cap_bytes_per_s, 12e9, 1);
  shape.nodes = 1;
  EXPECT_NEAR(cap(Protocol::simple), 360e9, 1);
}

}  // namespace
}  // namespace gridlock::collectives

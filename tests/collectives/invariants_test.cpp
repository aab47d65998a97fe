// What holds for every algorithm: the bytes that leave the nodes are those that must, none is lost on the way, and no link
// carries more than its capacity allows in the time.
//
// N = 8 nodes of m = 8 ranks, n = 64, S = 1 GB; bytes out of all NICs together:
//
//   Ring        all-reduce: every node passes on 2 (n-1)/n S over all channels: N * 2 (n-1)/n S; all-gather, reduce-scatter: half
//   Tree, NVLSTree   two trees of N - 1 edges, half of S each, up and down: 2 (N-1) S
//   CollNet, NVLS with SHARP   every node's part once: N S
//   all-to-all  each rank keeps the m parts of its node: n (n-m)/n S;   gather: (n-m)/n S;   scatter the same
//   PAT         all-gather and reduce-scatter, one rank a node: (N-1) S
#include <gtest/gtest.h>

#include "collectives/time.hpp"
#include "collectives/tuning.hpp"
#include "tests/collectives/test_cluster.hpp"

namespace gridlock::collectives {
namespace {

constexpr int node_count = 8, gpus_of_node = 8, rank_count = node_count * gpus_of_node;
constexpr double call_bytes = 1e9;

struct Case {
  Algorithm algorithm;
  Kind kind;
  int of_node;
  double out_of_nodes;  // in units of S
};

class EveryPattern : public testing::TestWithParam<Case> {
 protected:
  static topology::ClusterSpec spec() {
    topology::ClusterSpec made = test::cluster(node_count);
    made.fabric.sharp = true;
    return made;
  }
  EveryPattern() : machine(spec()), gpus(test::members(node_count, GetParam().of_node)) {
    pattern = make_pattern(GetParam().algorithm, GetParam().kind, machine.fabric, machine.router, gpus);
    wire = wire_bytes(GetParam().algorithm, GetParam().kind, static_cast<int>(gpus.size()), call_bytes);
    load = test::loads(machine.fabric, pattern);
  }
  test::Machine machine;
  std::vector<topology::GpuId> gpus;
  Pattern pattern;
  double wire = 0;
  std::vector<double> load;
};

TEST_P(EveryPattern, MovesTheBytesItMust) {
  double out = 0, in = 0;
  for (std::size_t nic = 0; nic < machine.fabric.nic_vertices.size(); ++nic) {
    out += test::nic_out(machine, load, nic) * wire;
    in += test::nic_in(machine, load, nic) * wire;
  }
  EXPECT_NEAR(out / call_bytes, GetParam().out_of_nodes, 1e-9);
  EXPECT_NEAR(in, out, 1e-3);
}

// What flows into a switch or an NVSwitch flows out of it, but where it reduces or copies.
TEST_P(EveryPattern, LosesNothingOnTheWay) {
  const Algorithm algorithm = GetParam().algorithm;
  const bool reduces = algorithm == Algorithm::nvls || algorithm == Algorithm::nvls_tree ||
                       algorithm == Algorithm::collnet_direct || algorithm == Algorithm::collnet_chain;
  if (reduces) return;
  std::vector<double> balance(num_vertices(machine.fabric.graph), 0);
  for (topology::LinkId id = 0; id < load.size(); ++id) {
    balance[machine.fabric.target(id)] += load[id];
    balance[machine.fabric.source(id)] -= load[id];
  }
  for (topology::VertexId v = 0; v < balance.size(); ++v) {
    if (machine.fabric.graph[v].kind == topology::VertexKind::gpu) continue;
    EXPECT_NEAR(balance[v], 0, 1e-9) << machine.fabric.vertex_name(v);
  }
}

TEST_P(EveryPattern, NoLinkCarriesMoreThanItsCapacity) {
  Choice choice;
  choice.algorithm = GetParam().algorithm;
  const double seconds = idle_time_s(machine.fabric, pattern, choice, GetParam().kind, static_cast<int>(gpus.size()), call_bytes);
  double busiest = 0;
  for (topology::LinkId id = 0; id < load.size(); ++id)
    busiest = std::max(busiest, load[id] * wire / (machine.fabric.link(id).bytes_per_s * seconds));
  EXPECT_LE(busiest, 1 + 1e-9);
  EXPECT_GT(busiest, 0.99);  // and the slowest link is busy all the time, as all patterns here are even
}

INSTANTIATE_TEST_SUITE_P(
    Collectives, EveryPattern,
    testing::Values(Case{Algorithm::ring, Kind::all_reduce, gpus_of_node, node_count * 2.0 * (rank_count - 1) / rank_count},
                    Case{Algorithm::ring, Kind::all_gather, gpus_of_node, node_count*(rank_count - 1.0) / rank_count},
                    Case{Algorithm::ring, Kind::reduce_scatter, gpus_of_node, node_count*(rank_count - 1.0) / rank_count},
                    Case{Algorithm::tree, Kind::all_reduce, gpus_of_node, 2.0 * (node_count - 1)},
                    Case{Algorithm::nvls_tree, Kind::all_reduce, gpus_of_node, 2.0 * (node_count - 1)},
                    Case{Algorithm::nvls, Kind::all_reduce, gpus_of_node, node_count},
                    Case{Algorithm::collnet_direct, Kind::all_reduce, gpus_of_node, node_count},
                    Case{Algorithm::collnet_chain, Kind::all_reduce, gpus_of_node, node_count},
                    Case{Algorithm::point_to_point, Kind::all_to_all, gpus_of_node, rank_count - gpus_of_node},
                    Case{Algorithm::point_to_point, Kind::gather, gpus_of_node, (rank_count - gpus_of_node) * 1.0 / rank_count},
                    Case{Algorithm::point_to_point, Kind::scatter, gpus_of_node, (rank_count - gpus_of_node) * 1.0 / rank_count},
                    Case{Algorithm::pat, Kind::all_gather, 1, node_count - 1},
                    Case{Algorithm::pat, Kind::reduce_scatter, 1, node_count - 1}),
    [](const auto& of) {
      std::string text = std::string(name(of.param.algorithm)) + "_" + std::string(name(of.param.kind));
      for (char& c : text)
        if (c == '-') c = '_';
      return text;
    });

// Sixteen NICs beside eight GPUs: each carries its sixteenth of ring, tree and NVLSTree.
TEST(SeveralNics, AllAreUsed) {
  for (const int count : {2, 3}) {
    const test::Machine m(test::cluster(count, topology::RoutingKind::adaptive, 16));
    const auto gpus = test::members(count, 8);
    EXPECT_EQ(communicator_shape(m.fabric, m.router, gpus).rails, 16);
    for (const Algorithm algorithm : {Algorithm::ring, Algorithm::nvls_tree, Algorithm::point_to_point}) {
      const std::vector<double> load = test::loads(m.fabric, make_pattern(algorithm, Kind::all_to_all, m.fabric, m.router, gpus));
      for (std::size_t nic = 1; nic < 16; ++nic)
        EXPECT_NEAR(test::nic_out(m, load, nic), test::nic_out(m, load, 0), 1e-9) << name(algorithm) << " NIC " << nic;
      EXPECT_GT(test::nic_out(m, load, 0), 0);
    }
  }
}

}  // namespace
}  // namespace gridlock::collectives

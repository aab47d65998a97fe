// The simulated benchmark against its closed form: every algorithm, folded and not.

#include "sim/bench/benchmark.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "collectives/time.hpp"
#include "sim/bench/cluster_source.hpp"
#include "tests/engine/run_in_child.hpp"

namespace gridlock::bench {
namespace {

using collectives::Algorithm;
using collectives::Kind;
using collectives::Protocol;

struct Case {
  Kind kind;
  std::optional<Algorithm> algorithm;
  int nodes;
  std::vector<std::uint32_t> members = {};
  std::vector<std::string> changes = {};
  const char* node = "hgx-h100";
};

Request request_of(const Case& c) {
  Request request;
  request.kind = c.kind;
  request.sizes = {64, 64 << 10, 8 << 20, 1 << 30};
  request.forced.algorithm = c.algorithm;
  request.members = c.members;
  return request;
}

scenario::Scenario machine_of(const Case& c) { return load_cluster({c.node, c.nodes, "", ""}, c.changes); }

// n members, every step-th GPU.
std::vector<std::uint32_t> members(std::uint32_t n, std::uint32_t step) {
  std::vector<std::uint32_t> gpus;
  for (std::uint32_t i = 0; i < n; ++i) gpus.push_back(i * step);
  return gpus;
}

std::vector<double> times(const Outcome& outcome) {
  std::vector<double> seconds;
  for (const Row& row : outcome.rows) seconds.push_back(row.time_s);
  return seconds;
}

void expect_equal(const std::vector<double>& got, const std::vector<double>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i] / expected[i], 1, 1e-9) << "size " << i;
}

class EveryAlgorithm : public testing::TestWithParam<Case> {};

TEST_P(EveryAlgorithm, SimulationEqualsClosedForm) {
  const Case& c = GetParam();
  const std::vector<double> expected = times(closed_form(machine_of(c), request_of(c)));
  for (const bool folded : {true, false}) {
    SCOPED_TRACE(folded ? "folded" : "full");
    expect_equal(engine::test::run_in_child([&] { return times(simulate(machine_of(c), request_of(c), folded)); }), expected);
  }
}

const std::vector<std::string> sharp{"cluster.fabric.sharp=true"};

// 64 ranks each, but two on odd and small shapes.
INSTANTIATE_TEST_SUITE_P(
    Benchmark, EveryAlgorithm,
    testing::Values(Case{Kind::all_reduce, Algorithm::ring, 8}, Case{Kind::all_reduce, Algorithm::tree, 8},
                    Case{Kind::all_reduce, Algorithm::nvls, 1}, Case{Kind::all_reduce, Algorithm::nvls_tree, 8},
                    Case{Kind::all_gather, Algorithm::ring, 8}, Case{Kind::reduce_scatter, Algorithm::ring, 8},
                    Case{Kind::reduce_scatter, Algorithm::ring, 3}, Case{Kind::broadcast, Algorithm::ring, 8},
                    Case{Kind::reduce, Algorithm::ring, 8},
                    Case{Kind::all_gather, Algorithm::pat, 64, members(64, 8), {"profile.nccl.pat=true"}},
                    Case{Kind::reduce_scatter, Algorithm::pat, 64, members(64, 8), {"profile.nccl.pat=true"}},
                    Case{Kind::all_reduce, Algorithm::nvls, 1, members(64, 1), {}, "gb200-nvl72"},
                    Case{Kind::send_recv, std::nullopt, 8}, Case{Kind::all_reduce, std::nullopt, 8},
                    Case{Kind::gather, std::nullopt, 8}, Case{Kind::scatter, std::nullopt, 8},
                    Case{Kind::all_reduce, Algorithm::collnet_direct, 8, {}, sharp},
                    Case{Kind::all_reduce, Algorithm::collnet_chain, 8, {}, sharp},
                    Case{Kind::all_reduce, Algorithm::nvls, 8, {}, sharp}, Case{Kind::all_to_all, std::nullopt, 8},
                    Case{Kind::all_reduce, Algorithm::ring, 8, {}, {"cluster.fabric.routing=ecmp"}}));

TEST(Benchmark, AllToAllOnANodeIsBoundByTheChannels) {
  // 8 GPUs, 1 GiB: each sends 7/8 GiB by its 12 channels of 30.5 GB/s (NVLink would carry 376); latency 8.4 + 3.4 us.
  // Fill: s c / (s + c) at a seventh of the channels' speed, pairs of s = 1/8 GiB and c = 1 MiB.
  const Case c{Kind::all_to_all, std::nullopt, 1};
  Request request = request_of(c);
  request.sizes = {1 << 30};
  const double channels = 12 * 30.5e9, pair = (1 << 30) / 8.0, chunk = 1 << 20;
  const double fill = pair * chunk / (pair + chunk) / (channels / 7);
  const double expected = 7 * pair / channels + 11.8e-6 + fill;
  EXPECT_NEAR(closed_form(machine_of(c), request).rows[0].time_s / expected, 1, 1e-9);
}

TEST(Benchmark, TimeNeverFallsAsTheSizeGrows) {
  for (const auto algorithm : {Algorithm::ring, Algorithm::tree, Algorithm::nvls_tree}) {
    for (const auto protocol : {Protocol::ll, Protocol::ll128, Protocol::simple}) {
      if (algorithm == Algorithm::nvls_tree && protocol != Protocol::simple) continue;
      Request request = request_of({Kind::all_reduce, algorithm, 2});
      request.forced.protocol = protocol;
      request.sizes.clear();
      for (std::uint64_t size = 8; size <= (1u << 30); size += size / 3 / 8 * 8 + 8) request.sizes.push_back(size);
      const std::vector<double> seconds = times(closed_form(machine_of({Kind::all_reduce, algorithm, 2}), request));
      EXPECT_TRUE(std::is_sorted(seconds.begin(), seconds.end()))
          << collectives::name(algorithm) << " " << collectives::name(protocol);
    }
  }
}

TEST(Benchmark, OneProcessOfEightGpusLaunchesThemOneAfterTheOther) {
  Request request = request_of({Kind::all_reduce, std::nullopt, 1});
  request.sizes = {64, 1 << 30};
  const std::vector<double> apart = times(closed_form(machine_of({Kind::all_reduce, std::nullopt, 1}), request));
  request.gpus_per_process = 8;
  const std::vector<double> together = times(closed_form(machine_of({Kind::all_reduce, std::nullopt, 1}), request));
  EXPECT_LT(apart[0], 8 * collectives::launch_s_per_gpu);
  EXPECT_DOUBLE_EQ(together[0], 8 * collectives::launch_s_per_gpu);
  EXPECT_DOUBLE_EQ(together[1], apart[1]);
}

// Two levels against the sum of the closed forms of their calls, by hand for an all-reduce of 8 GiB over 2 nodes of 8 (Ring with
// Simple throughout): reduce-scatter and all-gather inside, 7/8 S over NVLink at the channels' 360 GB/s each; across, S/8 over
// the rank's NIC of 400 Gb/s: each of the two ring edges of a rail carries 2 * 1/2 * S/8.
TEST(TwoLevels, AddUp) {
  Request request = request_of({Kind::all_reduce, Algorithm::ring, 2});
  request.two_level = true;
  request.forced.protocol = Protocol::simple;
  request.sizes = {8ull << 30};
  const scenario::Scenario machine = machine_of({Kind::all_reduce, Algorithm::ring, 2});
  const Row row = closed_form(machine, request).rows.front();
  ASSERT_EQ(row.phases.size(), 3u);
  const double bytes = 8.0 * (1ull << 30);
  for (const std::size_t p : {0u, 2u}) {
    const collectives::Choice& choice = row.phases[p].candidates.front();
    const double rate = std::min(choice.bus_cap_bytes_per_s, 450e9 * machine.profile.links.nvlink_efficiency);
    EXPECT_NEAR((row.phases[p].time_s - choice.latency_s) / (7.0 / 8 * bytes / rate), 1, 1e-9);
  }
  const collectives::Choice& across = row.phases[1].candidates.front();
  const double nic = std::min(across.bus_cap_bytes_per_s, 50e9 * machine.profile.links.nic_efficiency);
  EXPECT_NEAR((row.phases[1].time_s - across.latency_s) / (bytes / 8 / nic), 1, 1e-9);
}

TEST(TwoLevels, SimulationEqualsClosedForm) {
  for (const Kind kind : {Kind::all_reduce, Kind::reduce_scatter, Kind::all_gather, Kind::all_to_all}) {
    SCOPED_TRACE(collectives::name(kind));
    Request request = request_of({kind, std::nullopt, 4});
    request.two_level = true;
    const Case c{kind, std::nullopt, 4};
    const std::vector<double> expected = times(closed_form(machine_of(c), request));
    for (const bool folded : {true, false})
      expect_equal(engine::test::run_in_child([&] { return times(simulate(machine_of(c), request, folded)); }), expected);
  }
}

// Between nodes the two-hop all-to-all moves the same bytes, over the receiver's rail either way; inside it moves them once more.
TEST(TwoLevels, AllToAllIsTwoHops) {
  Request request = request_of({Kind::all_to_all, std::nullopt, 2});
  request.sizes = {1 << 30};
  const scenario::Scenario machine = machine_of({Kind::all_to_all, std::nullopt, 2});
  request.two_level = true;
  const Row row = closed_form(machine, request).rows.front();
  const double bytes = static_cast<double>(row.size.bytes), nvlink = 450e9 * machine.profile.links.nvlink_efficiency;
  const collectives::Choice &across = row.phases[0].candidates.front(), &inside = row.phases[1].candidates.front();
  const double nic = std::min(across.bus_cap_bytes_per_s, 50e9 * machine.profile.links.nic_efficiency);
  EXPECT_NEAR((row.phases[0].time_s - across.latency_s) / (bytes / 2 / nic), 1, 1e-9);
  EXPECT_NEAR((row.phases[1].time_s - inside.latency_s) / (bytes / 8 / std::min(inside.bus_cap_bytes_per_s, nvlink / 7)), 1,
              1e-9);
}

// Rank 0 receives four times the mean: its NVLink takes 4 * 7/8 S where the even one takes 7/8 S.
TEST(UnevenAllToAll, TheBusiestReceiverDecides) {
  Request request = request_of({Kind::all_to_all, std::nullopt, 1});
  request.sizes = {1 << 30};
  request.exchange = collectives::Exchange::imbalanced(8, 4);
  const scenario::Scenario machine = machine_of({Kind::all_to_all, std::nullopt, 1});
  const Row row = closed_form(machine, request).rows.front();
  const double nvlink = 450e9 * machine.profile.links.nvlink_efficiency;
  EXPECT_NEAR((row.time_s - row.candidates.front().latency_s) / (4 * 7.0 / 8 * (1 << 30) / nvlink), 1, 1e-9);
  const std::vector<double> simulated = engine::test::run_in_child([&] { return times(simulate(machine, request, true)); });
  EXPECT_NEAR(simulated[0] / row.time_s, 1, 1e-9);
}

TEST(Benchmark, RefusesWhatCannotBe) {
  const scenario::Scenario machine = load_cluster({"hgx-h100", 1, "", ""}, {});
  Request request;
  request.sizes = {1024};
  request.members = {0, 8};
  EXPECT_THROW(closed_form(machine, request), std::invalid_argument);
  request.members = {0, 1, 1};
  EXPECT_THROW(closed_form(machine, request), std::invalid_argument);
  request.members = {};
  request.forced.algorithm = Algorithm::nvls_tree;
  EXPECT_THROW(closed_form(machine, request), std::invalid_argument);
  request.forced = {};
  request.two_level = true;  // of one node
  EXPECT_THROW(closed_form(machine, request), std::invalid_argument);
  request.two_level = false;
  request.kind = Kind::all_to_all;
  request.exchange = collectives::Exchange::imbalanced(4, 2);  // of eight
  EXPECT_THROW(closed_form(machine, request), std::invalid_argument);
}

}  // namespace
}  // namespace gridlock::bench

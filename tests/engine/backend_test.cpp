// The simulation kernel against closed forms, flow by flow: max-min sharing, caps, weights, clock.
#include <gtest/gtest.h>

#include "hand_made.hpp"
#include "run_in_child.hpp"

namespace gridlock::engine::test {
namespace {

constexpr double C = 50e9, gib = 1073741824;

void expect_close(double found, double expected) { EXPECT_NEAR(found, expected, 1e-9 * expected); }

// Two senders, 1 GiB each, into one receiver of 50 GB/s: 2 GiB / 50 GB/s, neither the time of one nor of three.
TEST(Backend, Incast) {
  Network net;
  const Index a = net.link(C), b = net.link(C), in = net.link(C);
  const Index from_a = net.flow({{a, 1}, {in, 1}}), from_b = net.flow({{b, 1}, {in, 1}});
  const auto t = run_in_child([&] {
    return finish_times(net.problem, 2,
                        [&](Backend& k) { k.start_flow(0, from_a, gib, uncapped), k.start_flow(1, from_b, gib, uncapped); });
  });
  expect_close(t[0], 2 * gib / C);
  expect_close(t[1], 2 * gib / C);
}

// Messages are not stored before they are forwarded: three links of 50 GB/s are as fast as one.
TEST(Backend, NoStoreAndForward) {
  Network net;
  const Index f = net.flow({{net.link(C), 1}, {net.link(C), 1}, {net.link(C), 1}});
  const auto t =
      run_in_child([&] { return finish_times(net.problem, 1, [&](Backend& k) { k.start_flow(0, f, 1e9, uncapped); }); });
  expect_close(t[0], 1e9 / C);
}

// A flow over six links and one over a single link share the link they have in common evenly.
TEST(Backend, UnequalHopCountsShareFairly) {
  Network net;
  const Index common = net.link(C);
  const Index far =
      net.flow({{common, 1}, {net.link(C), 1}, {net.link(C), 1}, {net.link(C), 1}, {net.link(C), 1}, {net.link(C), 1}});
  const Index near = net.flow({{common, 1}});
  const auto t = run_in_child([&] {
    return finish_times(net.problem, 2,
                        [&](Backend& k) { k.start_flow(0, far, 1e9, uncapped), k.start_flow(1, near, 1e9, uncapped); });
  });
  expect_close(t[0], 2e9 / C);
  expect_close(t[1], 2e9 / C);
}

// A cap of 10 GB/s leaves 40 to the other flow, who ends at 1 GB / 40 GB/s; the capped one at 1 GB / 10 GB/s.
TEST(Backend, CapsHold) {
  Network net;
  const Index common = net.link(C);
  const Index capped = net.flow({{common, 1}}), other = net.flow({{common, 1}});
  const auto t = run_in_child([&] {
    return finish_times(net.problem, 2,
                        [&](Backend& k) { k.start_flow(0, capped, 1e9, 10e9), k.start_flow(1, other, 1e9, uncapped); });
  });
  expect_close(t[0], 1e9 / 10e9);
  expect_close(t[1], 1e9 / 40e9);
}

// The next flow of the same class has its own cap, or none.
TEST(Backend, CapsChangeFromFlowToFlow) {
  Network net;
  const Index f = net.flow({{net.link(C), 1}});
  const auto t = run_in_child([&] {
    return finish_times(
        net.problem, 3, [&](Backend& k) { k.start_flow(0, f, 1e9, 10e9); },
        [&](Backend& k, Token token) {
          if (token == 0) k.start_flow(1, f, 1e9, uncapped);
          if (token == 1) k.start_flow(2, f, 1e9, 20e9);
        });
  });
  expect_close(t[0], 0.1);
  expect_close(t[1] - t[0], 1e9 / C);
  expect_close(t[2] - t[1], 0.05);
}

// A bundle that crosses a link 1.5 times beside a flow that crosses it once: 1.5 r + r = 50 GB/s, r = 20 GB/s.
TEST(Backend, WeightsCount) {
  Network net;
  const Index common = net.link(C);
  const Index bundle = net.flow({{common, 1.5}, {net.link(C), 1}}), flow = net.flow({{common, 1}});
  const auto t = run_in_child([&] {
    return finish_times(net.problem, 2,
                        [&](Backend& k) { k.start_flow(0, bundle, 1e9, uncapped), k.start_flow(1, flow, 1e9, uncapped); });
  });
  expect_close(t[0], 1e9 / 20e9);
  expect_close(t[1], 1e9 / 20e9);
}

// One degraded link (5 GB/s) holds the whole bundle to 5 GB/s, also on the healthy link, and leaves 45 GB/s there to others.
TEST(Backend, OneDegradedLinkSlowsTheWholeBundle) {
  Network net;
  const Index healthy = net.link(C), degraded = net.link(0.1 * C);
  const Index bundle = net.flow({{healthy, 1}, {degraded, 1}}), other = net.flow({{healthy, 1}});
  const auto t = run_in_child([&] {
    return finish_times(net.problem, 2,
                        [&](Backend& k) { k.start_flow(0, bundle, 1e9, uncapped), k.start_flow(1, other, 1e9, uncapped); });
  });
  expect_close(t[0], 1e9 / (0.1 * C));
  expect_close(t[1], 1e9 / (0.9 * C));
}

// Max-min, not proportional: a and b share link 1 (30), b and c share link 2 (100): a = b = 15, c = 85.
TEST(Backend, MaxMin) {
  Network net;
  const Index one = net.link(30e9), two = net.link(100e9);
  const Index a = net.flow({{one, 1}}), b = net.flow({{one, 1}, {two, 1}}), c = net.flow({{two, 1}});
  const auto t = run_in_child([&] {
    return finish_times(net.problem, 3, [&](Backend& k) {
      k.start_flow(0, a, 15e9, uncapped), k.start_flow(1, b, 15e9, uncapped), k.start_flow(2, c, 85e9, uncapped);
    });
  });
  for (double finish : t) expect_close(finish, 1);
}

// The clock tells instants apart that are 0.1 ns from each other, and a chain of delays adds up.
TEST(Backend, Delays) {
  Network net;
  const auto t = run_in_child([&] {
    return finish_times(
        net.problem, 3, [&](Backend& k) { k.start_delay(0, 1e-3), k.start_delay(1, 1e-3 + 1e-10); },
        [&](Backend& k, Token token) {
          if (token == 0) k.start_delay(2, 2e-3);
        });
  });
  expect_close(t[0], 1e-3);
  EXPECT_NEAR(t[1] - t[0], 1e-10, 1e-15);
  expect_close(t[2], 3e-3);
}

// `seconds` are those of this GPU, slow or not; GPUs do not slow each other down.
TEST(Backend, ComputeTakesItsSeconds) {
  Network net;
  const Index fast = net.rank(1), slow = net.rank(0.7);
  const auto t = run_in_child([&] {
    return finish_times(net.problem, 2, [&](Backend& k) { k.start_compute(0, fast, 1e-3), k.start_compute(1, slow, 3e-6); });
  });
  expect_close(t[0], 1e-3);
  expect_close(t[1], 3e-6);
}

// Thirds of a message are exact in payload units of 2^-20 byte: 1 byte / 3 over 1 B/s.
TEST(Backend, SmallFlowsAreExact) {
  Network net;
  const Index f = net.flow({{net.link(1), 1}});
  const auto t =
      run_in_child([&] { return finish_times(net.problem, 1, [&](Backend& k) { k.start_flow(0, f, 100.0 / 3, uncapped); }); });
  EXPECT_NEAR(t[0], 100.0 / 3, 1.0 / 1048576);
}

TEST(Backend, OnlyOneInAProcess) {
  Network net;
  net.flow({{net.link(C), 1}});
  const auto second_throws = run_in_child([&]() -> std::vector<double> {
    const auto first = make_backend(net.problem, Sharing::simgrid);
    try {
      make_backend(net.problem, Sharing::simgrid);
    } catch (const std::logic_error&) {
      return {1};
    }
    return {0};
  });
  EXPECT_EQ(second_throws, std::vector<double>{1});
}

}  // namespace
}  // namespace gridlock::engine::test

// Rates that are mended against rates that are filled from the start, and against SimGrid's.
#include "sim/engine/max_min.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "hand_made.hpp"
#include "run_in_child.hpp"

namespace gridlock::engine::test {
namespace {

// Water filling over all flows, by the definition: raise all rates together; what a full link or a cap holds stops there.
std::map<Index, double> filled(const Problem& problem, const std::map<Index, double>& caps) {
  std::map<Index, double> rates;
  std::vector<double> left;
  for (const LinkClass& link : problem.links) left.push_back(link.bytes_per_s);
  while (rates.size() < caps.size()) {
    std::vector<double> weight(problem.links.size(), 0);
    const auto for_each_hop = [&](Index flow, auto visit) {
      for (std::uint32_t i = 0; i < problem.flows[flow].link_count; ++i)
        visit(problem.flow_links[problem.flows[flow].first_link + i]);
    };
    for (const auto& [flow, cap] : caps)
      if (!rates.contains(flow)) for_each_hop(flow, [&](const FlowLink& hop) { weight[hop.link] += hop.weight; });
    double level = uncapped;
    for (std::size_t l = 0; l < weight.size(); ++l)
      if (weight[l] > 1e-9) level = std::min(level, left[l] / weight[l]);
    for (const auto& [flow, cap] : caps)
      if (!rates.contains(flow)) level = std::min(level, cap);
    std::vector<Index> held;
    for (const auto& [flow, cap] : caps) {
      bool here = cap <= level * (1 + 1e-12);
      for_each_hop(flow, [&](const FlowLink& hop) { here = here || left[hop.link] <= level * weight[hop.link] * (1 + 1e-12); });
      if (here && !rates.contains(flow)) held.push_back(flow);
    }
    for (Index flow : held) {
      rates[flow] = level;
      for_each_hop(flow, [&](const FlowLink& hop) { left[hop.link] -= level * hop.weight; });
    }
  }
  return rates;
}

class NetworkDraw {
 public:
  explicit NetworkDraw(unsigned seed) : random_(seed) {}
  unsigned below(unsigned n) { return static_cast<unsigned>(random_()) % n; }
  double cap() { return below(3) == 0 ? 1e9 * (1 + below(9)) : uncapped; }

 private:
  std::mt19937 random_;
};

// 6 to 40 flows over up to 6 of 4 to 20 links, some of them wide, some flows heavy on a link.
Network random_network(NetworkDraw& draw) {
  Network net;
  const unsigned links = 4 + draw.below(17), flows = 6 + draw.below(35);
  for (unsigned l = 0; l < links; ++l) net.link(10e9 * (1 + draw.below(3)));
  for (unsigned f = 0; f < flows; ++f) {
    std::map<Index, double> hops;
    for (unsigned n = 1 + draw.below(6); n > 0; --n) hops[draw.below(links)] = 1 + draw.below(2);
    std::vector<FlowLink> route;
    for (const auto& [link, weight] : hops) route.push_back({link, weight});
    net.flow(route);
  }
  return net;
}

// A of 10 carries 1 and 2, B of 10 carries 2 and 3: 5 each. Without 1, A would give 10 to 2, but B has 5 left for it.
TEST(MaxMin, WorkedExample) {
  Network net;
  const Index a = net.link(10), b = net.link(10);
  const Index one = net.flow({{a, 1}}), two = net.flow({{a, 1}, {b, 1}}), three = net.flow({{b, 1}});
  MaxMin rates(net.problem);
  EXPECT_EQ(rates.add(one, uncapped), std::vector<Index>{one});
  EXPECT_EQ(rates.rate(one), 10);
  EXPECT_EQ(rates.add(two, uncapped), (std::vector<Index>{one, two}));
  EXPECT_EQ(rates.add(three, uncapped), std::vector<Index>{three});
  for (Index flow : {one, two, three}) EXPECT_EQ(rates.rate(flow), 5);
  EXPECT_TRUE(rates.remove(one).empty());
  EXPECT_EQ(rates.rate(two), 5);
}

// x1 + 2 x2 = 9 on one link: 3 each. A cap of 1 on flow 1 leaves 2 x2 = 8.
TEST(MaxMin, WeightsAndCaps) {
  Network net;
  const Index link = net.link(9);
  const Index light = net.flow({{link, 1}}), heavy = net.flow({{link, 2}});
  MaxMin rates(net.problem);
  rates.add(light, uncapped);
  rates.add(heavy, uncapped);
  EXPECT_DOUBLE_EQ(rates.rate(light), 3);
  EXPECT_DOUBLE_EQ(rates.rate(heavy), 3);
  rates.remove(light);
  rates.add(light, 1);
  EXPECT_DOUBLE_EQ(rates.rate(light), 1);
  EXPECT_DOUBLE_EQ(rates.rate(heavy), 4);
}

// 200 flows come and go on each of 60 random networks: after each change, all rates are those of filling from the start.
TEST(MaxMin, MendedRatesAreFilledRates) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    NetworkDraw draw(seed);
    const Network net = random_network(draw);
    MaxMin rates(net.problem);
    std::map<Index, double> running, last;
    for (int change = 0; change < 200; ++change) {
      const Index flow = draw.below(static_cast<unsigned>(net.problem.flows.size()));
      const bool leaves = running.erase(flow) > 0;
      if (!leaves) running[flow] = draw.cap();
      const std::vector<Index> changed = leaves ? rates.remove(flow) : rates.add(flow, running[flow]);
      const std::map<Index, double> expected = filled(net.problem, running);
      for (const auto& [f, rate] : expected) {
        ASSERT_NEAR(rates.rate(f), rate, 1e-9 * rate) << "seed " << seed << ", change " << change << ", flow " << f;
        if (last.contains(f) && f != flow && rates.rate(f) != last[f]) {
          EXPECT_TRUE(std::binary_search(changed.begin(), changed.end(), f)) << "a change that is not told";
        }
        last[f] = rates.rate(f);
      }
    }
  }
}

// Flows that start at random times end at the same times on both backends.
TEST(Sharing, IncrementalIsSimGrids) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const auto finishes = [&](Sharing sharing) {
      return run_in_child([&] {
        NetworkDraw draw(seed);
        const Network net = random_network(draw);
        const auto flows = static_cast<Token>(net.problem.flows.size());
        std::vector<double> bytes, caps;
        for (Token f = 0; f < flows; ++f) bytes.push_back(1e6 * (1 + draw.below(1000))), caps.push_back(draw.cap());
        return finish_times(
            net.problem, 2 * flows,
            [&](Backend& k) {
              for (Token f = 0; f < flows; ++f) k.start_delay(flows + f, 1e-4 * draw.below(1000));
            },
            [&](Backend& k, Token token) {
              if (token >= flows) k.start_flow(token - flows, token - flows, bytes[token - flows], caps[token - flows]);
            },
            sharing);
      });
    };
    const std::vector<double> simgrid = finishes(Sharing::simgrid), incremental = finishes(Sharing::incremental);
    for (std::size_t t = 0; t < simgrid.size(); ++t)
      ASSERT_NEAR(incremental[t], simgrid[t], 1e-9 * simgrid[t]) << "seed " << seed << ", token " << t;
  }
}

}  // namespace
}  // namespace gridlock::engine::test

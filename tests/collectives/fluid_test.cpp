#include "collectives/fluid.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "tests/collectives/units.hpp"

namespace gridlock::collectives {
namespace {

// A fabric of links without devices: link i has capacities[i].
topology::Fabric links(const std::vector<double>& capacities) {
  std::vector<topology::Vertex> ends(2);
  std::vector<topology::Cable> cables;
  for (const double capacity : capacities) {
    topology::Cable cable{0, 1, {}};
    cable.link.id = static_cast<topology::LinkId>(cables.size());
    cable.link.bytes_per_s = capacity;
    cables.push_back(cable);
  }
  topology::Fabric fabric;
  fabric.connect(ends, cables);
  return fabric;
}

// The example of fluid.hpp: 2 x 1 GB and 0.5 GB into 50 GB/s. 50/3 each until 0.5 / (50/3) = 30 ms; then 0.5 GB at 25: 50 ms.
TEST(Fluid, IncastSharesEvenlyAndSharesAnewAfterAnEnd) {
  const topology::Fabric fabric = links({50 * gb});
  const std::vector<WeightedLink> route{{0, 1}};
  const auto finish = finish_times_s(fabric, std::vector<Flow>{{route, 1 * gb}, {route, 1 * gb}, {route, 0.5 * gb}});
  EXPECT_NEAR(finish[0], 0.050, 1e-12);
  EXPECT_NEAR(finish[1], 0.050, 1e-12);
  EXPECT_NEAR(finish[2], 0.030, 1e-12);
}

// Two senders of 1 GiB into one 50 GB/s receiver end after 2 GiB / 50 GB/s.
TEST(Fluid, TwoSendersIntoOneReceiver) {
  const topology::Fabric fabric = links({50 * gb, 50 * gb, 50 * gb});
  const double gib = 1024.0 * 1024 * 1024;
  const std::vector<WeightedLink> a{{0, 1}, {2, 1}}, b{{1, 1}, {2, 1}};
  const auto finish = finish_times_s(fabric, std::vector<Flow>{{a, gib}, {b, gib}});
  EXPECT_NEAR(finish[0], 2 * gib / (50 * gb), 1e-12);
  EXPECT_NEAR(finish[1], 2 * gib / (50 * gb), 1e-12);
}

// A cap of 10 GB/s leaves 40 of 50 GB/s to the other flow.
TEST(Fluid, CapLeavesTheRestToOthers) {
  const topology::Fabric fabric = links({50 * gb});
  const std::vector<WeightedLink> route{{0, 1}};
  const auto finish = finish_times_s(fabric, std::vector<Flow>{{route, 1 * gb, 10 * gb}, {route, 4 * gb}});
  EXPECT_NEAR(finish[0], 0.1, 1e-12);
  EXPECT_NEAR(finish[1], 0.1, 1e-12);
}

// Weight 3 on one link: rate 50 / 3. The other flow, weight 1 on the same link: rate r with 3 r + r = 50.
TEST(Fluid, WeightsCountCrossings) {
  const topology::Fabric fabric = links({50 * gb});
  const std::vector<WeightedLink> thrice{{0, 3}}, once{{0, 1}};
  EXPECT_NEAR(finish_times_s(fabric, std::vector<Flow>{{thrice, 1 * gb}})[0], 0.06, 1e-12);
  const auto both = finish_times_s(fabric, std::vector<Flow>{{thrice, 1 * gb}, {once, 1 * gb}});
  EXPECT_NEAR(both[0], 0.08, 1e-12);
  EXPECT_NEAR(both[1], 0.08, 1e-12);
}

// Max-min on two links: A on both, B on link 0 (10 GB/s), C on link 1 (100 GB/s). A = B = 5, C = 95.
TEST(Fluid, FlowsBoundElsewhereLeaveTheirShare) {
  const topology::Fabric fabric = links({10 * gb, 100 * gb});
  const std::vector<WeightedLink> a{{0, 1}, {1, 1}}, b{{0, 1}}, c{{1, 1}};
  const auto finish = finish_times_s(fabric, std::vector<Flow>{{a, 5 * gb}, {b, 5 * gb}, {c, 95 * gb}});
  for (const double end : finish) EXPECT_NEAR(end, 1, 1e-12);
}

TEST(Fluid, NothingToSendEndsAtOnce) {
  const topology::Fabric fabric = links({10 * gb});
  const std::vector<WeightedLink> route{{0, 1}};
  EXPECT_EQ(finish_times_s(fabric, std::vector<Flow>{{route, 0}})[0], 0);
}

TEST(Fluid, FlowWithoutLinkNeedsACap) {
  const topology::Fabric fabric = links({});
  EXPECT_THROW(finish_times_s(fabric, std::vector<Flow>{{{}, 1}}), std::logic_error);
  EXPECT_DOUBLE_EQ(finish_times_s(fabric, std::vector<Flow>{{{}, 1, 2}})[0], 0.5);
}

// Bytes over a link by the last end never exceed capacity * time, whatever the flows; and no flow ends earlier than alone.
TEST(Fluid, NeverMovesMoreThanALinkCan) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<std::size_t>(1, 6);
    std::vector<double> capacities;
    for (std::size_t i = 0; i < count; ++i) capacities.push_back(*rc::gen::inRange(1, 100) * gb);
    const topology::Fabric fabric = links(capacities);
    const auto flow_count = *rc::gen::inRange<std::size_t>(1, 8);
    std::vector<std::vector<WeightedLink>> routes(flow_count);
    std::vector<Flow> flows;
    for (auto& route : routes) {
      for (std::size_t l = 0; l < count; ++l) {
        const int weight = *rc::gen::inRange(0, 4);
        if (weight > 0) route.push_back({static_cast<topology::LinkId>(l), 0.5 * weight});
      }
      if (route.empty()) route.push_back({0, 1});
      flows.push_back({route, *rc::gen::inRange(1, 50) * gb});
    }
    const auto finish = finish_times_s(fabric, flows);
    const double end = *std::ranges::max_element(finish);
    for (std::size_t l = 0; l < count; ++l) {
      double bytes = 0;
      for (const Flow& flow : flows) {
        for (const auto& [link, weight] : flow.links) bytes += link == l ? weight * flow.bytes : 0;
      }
      RC_ASSERT(bytes <= capacities[l] * end * (1 + 1e-9));
    }
    for (std::size_t f = 0; f < flow_count; ++f) {
      RC_ASSERT(finish_times_s(fabric, std::span(flows).subspan(f, 1))[0] <= finish[f] * (1 + 1e-9));
    }
  }));
}

}  // namespace
}  // namespace gridlock::collectives

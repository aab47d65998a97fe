// What was built, in numbers and sample routes: for people, and for checks against what they bought.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topology/fabric.hpp"
#include "topology/router.hpp"

namespace gridlock::topology {

std::string_view name(VertexKind kind);  // "NVSwitch plane", "leaf"
std::string_view name(LinkKind kind);    // "NVLink", "uplink"

struct VertexCount {
  VertexKind kind;
  std::uint64_t devices;   // switches that a collapsed vertex stands for are counted one by one
  std::uint64_t vertices;  // of the graph
};

struct LinkCount {
  LinkKind kind;
  std::uint64_t cables;        // one direction each
  std::uint64_t links;         // of the graph
  double slowest_bytes_per_s;  // least and most capacity of a link
  double fastest_bytes_per_s;
};

struct Statistics {
  std::vector<VertexCount> vertices;  // kinds that occur, in the order of VertexKind
  std::vector<LinkCount> links;       // kinds that occur, in the order of LinkKind
  double bisection_bytes_per_s = 0;
  double injection_bytes_per_s = 0;  // what the NICs of the first half can send; bisection / injection = 1: non-blocking
};

Statistics statistics(const Fabric& fabric);

// Most bytes/s that the first half of the nodes, nodes [0, n/2), can send to the rest at once: the maximum flow through the
// fabric from all NICs of the one to all NICs of the other (push-relabel on the graph of switches, NICs summed per switch).
// Of a single node: from the first half of its GPUs to the rest, over NVLink where it has that. 0 where nothing is to send.
double bisection_bytes_per_s(const Fabric& fabric);

struct SampleRoute {
  std::string title;  // "same rail, other node"
  GpuId src, dst;
  Path path;
};

// From GPU 0: to its neighbour, to another node on the same and on another rail, to the last GPU; each where there is one.
// A route that does not exist (rails that never meet) is left out.
std::vector<SampleRoute> sample_routes(const Fabric& fabric, const Router& router);

// "node0.gpu0 -> node0.nvswitch -> node0.gpu1"; where a flow splits, its links with their shares.
std::string describe(const Fabric& fabric, const Path& path);

// Rate of a flow alone on the path: the least capacity / share.
double bottleneck_bytes_per_s(const Fabric& fabric, const Path& path);

}  // namespace gridlock::topology

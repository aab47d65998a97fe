// Fits constants of links and of NCCL to measured collectives: robust, with the preset as what is known beforehand.
//
//   nccl.intra_channel_bandwidth   s: a ring inside a node moves channels * s
//   nccl.nvls_bandwidth            what an all-reduce moves through the NVSwitch
//   nccl.p2p_bandwidth             what send/recv and all-to-all move out of a GPU inside a node
//   nccl.inter_channel_bandwidth   S: a NIC moves its channels * S; that of NVLS between nodes keeps its ratio to S
//   nccl.network_latency           what a crossing of the network takes beyond NCCL's table
//
// A link gives what its channels are measured to move, where the preset's payload would be less: at most its wire rate. So a term
// is either a channel's speed or the link's, never both, and each is identified by large calls of its kind. Latencies inside a
// node are NCCL's own table, no constant of a profile.
//
// Fitted twice: first with the algorithms and protocols that the preset makes NCCL choose, then with those of the first fit, and
// with calls below 1 MiB, below 64 MiB and above counting by how well the first fit meets them.
//
// A bandwidth is asked for only where some call is large enough to show it: 4 MiB inside a node, 16 MiB over several. Where the
// first fit refuses a term, because at the preset's value it bounds nothing, the best of eight values from 0.25 to 2 times the
// preset's is tried as well, and kept where it takes away a tenth of the errors. S is at most what the port carries.
// Where the preset was measured behind other NICs or NVLinks, speeds are those behind the preset's
// (collectives/channel_speed.hpp).
//
// Worked example: 8 GPUs, NVLink 450 GB/s of which the preset grants 376, 12 channels. All-gathers that move 390 GB/s over an
// edge give s = 32.5 GB/s and raise links.nvlink_efficiency to 390 / 450 = 0.867.
#pragma once

#include "calibrate/fit/collective_model.hpp"
#include "calibrate/fit/robust_fit.hpp"
#include "calibrate/fit/summaries.hpp"

namespace gridlock::calibrate {

struct CollectiveFit {
  std::vector<Point> points;  // as they were fitted: merged
  RobustFit fit;              // the terms above that some point could depend on
  CollectiveConstants constants;
  std::vector<double> preset_s;         // by point: what the preset says
  std::vector<std::string> not_fitted;  // sentences: points that were passed over
};

// Most ranks of a call whose pairs are flows of their own (all-to-all), and of any other.
constexpr int most_all_to_all_ranks = 128, most_ranks = 1024;

// The points of collectives among `points`; none: no terms and no points. `cluster.nodes` is raised to what the points need;
// several nodes without a fabric get a rail-optimised fat tree.
// Throws std::invalid_argument when there are too few, topology::SpecError when the cluster cannot be built.
CollectiveFit fit_collectives(const std::vector<Point>& points, Statistic statistic, topology::ClusterSpec cluster,
                              const CollectiveConstants& preset);

}  // namespace gridlock::calibrate

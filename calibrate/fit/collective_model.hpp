// What collectives take on an idle machine by the closed form of collectives/time.hpp, for a fit: the fabric and the routes stay,
// constants of links and of NCCL change from call to call.
//
//   t = max( idle time, 4 us * GPUs that one process launches on )
//
// Worked example: all-gather of 8 GB over 8 GPUs, 12 channels of 30 GB/s: 7/8 of 8 GB at 360 GB/s, 19.4 ms and some latency.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "calibrate/point.hpp"
#include "collectives/pattern.hpp"
#include "collectives/tuning.hpp"
#include "topology/router.hpp"

namespace gridlock::calibrate {

// A call as a point has it. Ranks are spread evenly over the first `nodes` nodes and take their first GPUs.
struct CollectiveCall {
  collectives::Kind kind = collectives::Kind::all_reduce;
  double bytes = 0;  // as nccl-tests counts
  int ranks = 2, nodes = 1;
  int gpus_per_process = 1;
};

// Nothing when the point is of no collective. Numbers `nodes` and `gpus_per_process` may be missing: 1. Throws
// std::invalid_argument when a number makes no sense.
std::optional<CollectiveCall> collective_call(const Point& point);

// Of links and of NCCL.
struct CollectiveConstants {
  topology::LinkParameters links;
  collectives::TuningParameters tuning;
};

class CollectiveModel {
 public:
  // `cluster` has at least as many nodes and GPUs as the calls use. Throws topology::SpecError.
  explicit CollectiveModel(const topology::ClusterSpec& cluster, const topology::LinkParameters& links);
  ~CollectiveModel();

  // Algorithm and protocol that NCCL's tuner picks. Throws std::invalid_argument when the ranks do not fit.
  collectives::Override choice(const CollectiveCall& call, const collectives::TuningParameters& tuning);
  // By that choice, or by a given one: while constants vary in a fit, a choice that jumps would make the time jump.
  double seconds(const CollectiveCall& call, const CollectiveConstants& constants, const collectives::Override& forced = {});

 private:
  struct Group;
  Group& group(int ranks, int nodes);
  double pace(Group& g, const CollectiveCall& call, const collectives::Choice& choice);
  void use(const topology::LinkParameters& links);

  topology::ClusterSpec cluster_;
  topology::LinkParameters links_;
  std::unique_ptr<topology::Fabric> fabric_;  // of links_
  std::map<std::pair<int, int>, std::unique_ptr<Group>> groups_;
};

}  // namespace gridlock::calibrate

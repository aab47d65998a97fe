// Who is who: rank number <-> position on the parallel axes <-> physical GPU.
//
// With order "tp-cp-ep-dp-pp" (Megatron's default) rank = tp + T * (dp + D * pp): the axis named first varies fastest.
#pragma once

#include <vector>

#include "sim/parallel/step_graph.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridlock::parallel {

struct Position {
  int tensor = 0, data = 0, pipeline = 0;
  bool operator==(const Position&) const = default;
};

class Layout {
 public:
  explicit Layout(const scenario::Parallelism& parallelism);
  RankId rank_of(Position p) const;
  Position position_of(RankId rank) const;
  RankId ranks() const { return ranks_; }

 private:
  int tensor_, data_, pipeline_;
  RankId tensor_stride_ = 1, data_stride_ = 1, pipeline_stride_ = 1, ranks_ = 1;
};

}  // namespace gridlock::parallel

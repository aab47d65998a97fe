#include "sim/parallel/layout.hpp"

namespace gridlock::parallel {

Layout::Layout(const scenario::Parallelism& p) : tensor_(p.tensor), data_(p.data), pipeline_(p.pipeline) {
  for (scenario::Axis axis : p.order) {
    switch (axis) {
      case scenario::Axis::tensor:
        tensor_stride_ = ranks_, ranks_ *= static_cast<RankId>(tensor_);
        break;
      case scenario::Axis::data:
        data_stride_ = ranks_, ranks_ *= static_cast<RankId>(data_);
        break;
      case scenario::Axis::pipeline:
        pipeline_stride_ = ranks_, ranks_ *= static_cast<RankId>(pipeline_);
        break;
      case scenario::Axis::context:
      case scenario::Axis::expert:
        break;  // of size 1 in dense models
    }
  }
}

RankId Layout::rank_of(Position p) const {
  return static_cast<RankId>(p.tensor) * tensor_stride_ + static_cast<RankId>(p.data) * data_stride_ +
         static_cast<RankId>(p.pipeline) * pipeline_stride_;
}

Position Layout::position_of(RankId rank) const {
  return {static_cast<int>(rank / tensor_stride_ % static_cast<RankId>(tensor_)),
          static_cast<int>(rank / data_stride_ % static_cast<RankId>(data_)),
          static_cast<int>(rank / pipeline_stride_ % static_cast<RankId>(pipeline_))};
}

}  // namespace gridlock::parallel

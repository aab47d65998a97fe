#include "sim/parallel/block_input.hpp"

namespace gridlock::parallel {

model::BlockInput block_input(const scenario::Scenario& s) {
  const bool half = s.precision == scenario::Precision::fp16;
  model::BlockInput input;
  input.model = s.model;
  input.profile = s.profile;
  input.device = model::device(s.cluster.node.gpu, half ? "fp16" : "bf16");
  input.tensor = s.parallelism.tensor;
  input.sequence_parallel = s.parallelism.sequence_parallel;
  input.tp_overlap = s.parallelism.tp_overlap;
  input.micro = s.batch.micro;
  input.sequence = s.batch.sequence;
  input.recompute = s.recompute;
  input.gradient_bytes = s.optimizer.gradients == scenario::GradientType::fp32 ? 4 : 2;
  input.loss_scaling = half;
  return input;
}

}  // namespace gridlock::parallel

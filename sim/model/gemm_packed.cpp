#include "sim/model/gemm_packed.hpp"

namespace gridlock::model {

KernelTime packed_gemm(const GemmShape& shape, const GemmModel& model, const Device& device) {
  const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n), k = static_cast<double>(shape.k);
  const auto batch = static_cast<double>(shape.batch);
  const double flops = 2 * batch * m * n * k;
  const double operand_bytes = batch * (m * k + k * n) * shape.operand_bytes, output_bytes = batch * m * n * shape.output_bytes;
  const double compute_s = flops / (device.peak_flops * model.ceiling);
  const double memory_s = operand_bytes / model.operand_bytes_per_s + output_bytes / model.output_bytes_per_s;
  return {model.launch_s + compute_s + memory_s, compute_s >= memory_s ? Bound::compute : Bound::memory, flops,
          operand_bytes + output_bytes};
}

}  // namespace gridlock::model

#include "calibrate/gpu/benchmarks.hpp"

namespace gridlock::calibrate::gpu {

// Attention's two products are batched matrix products: Q K^T with k = head_dim, P V with n = head_dim.
Point measure_gemm(Machine& machine, Point point) {
  const auto work =
      gemm_work(machine, {label(point, "dtype"), count(point, "m"), count(point, "n"), count(point, "k"), count(point, "batch")});
  return with(std::move(point), time_on_device(machine, *work));
}

}  // namespace gridlock::calibrate::gpu

#include "collectives/channel_speed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "collectives/nccl_constants.hpp"

namespace gridlock::collectives {
namespace {

constexpr std::array older_gb{48.0, 30.0, 28.0, 24.0, 20.0, 18.0, 15.0, 12.0, 10.0, 9.0,
                              7.0,  6.0,  5.0,  4.0,  3.0,  2.4,  1.2,  0.24, 0.12};
constexpr std::array hopper_gb{48.0, 45.0, 42.0, 40.0, 30.0, 24.0, 22.0, 20.0, 17.5, 15.0, 12.0, 6.0, 3.0, 2.4, 1.2, 0.24, 0.12};
constexpr std::array blackwell_gb{96.0, 48.0, 45.1, 42.0, 40.0, 30.0, 24.0, 22.0, 20.0,
                                  17.5, 15.0, 12.0, 6.0,  3.0,  2.4,  1.2,  0.24, 0.12};

std::span<const double> speeds_gb(Generation generation) {
  if (generation == Generation::blackwell) return blackwell_gb;
  if (generation == Generation::hopper) return hopper_gb;
  return older_gb;
}

// Ratios to what the profile was measured behind; 1 where either is not known.
double nic_ratio(const TuningParameters& p, const CommunicatorShape& shape, int nics) {
  if (p.nic_bytes_per_s <= 0 || shape.nic_bytes_per_s <= 0) return 1;
  return searched_bytes_per_s(p.generation, nics * shape.nic_bytes_per_s) / searched_bytes_per_s(p.generation, p.nic_bytes_per_s);
}
// NVLS has a channel a GPU, which uses all NICs of the GPU.
int nics_of_gpu(const CommunicatorShape& shape) { return std::max(1, shape.rails / std::max(1, shape.ranks_per_node)); }
double nvlink_ratio(const TuningParameters& p, const CommunicatorShape& shape) {
  return p.nvlink_bytes_per_s > 0 && shape.nvlink_bytes_per_s > 0 ? shape.nvlink_bytes_per_s / p.nvlink_bytes_per_s : 1;
}

TuningParameters scaled(TuningParameters p, double nic, double nvls_nic, double nvlink) {
  p.inter_channel_bytes_per_s *= nic;
  p.nvls_inter_channel_bytes_per_s *= nvls_nic;
  p.intra_channel_bytes_per_s *= nvlink;
  p.nvls_channel_bytes_per_s *= nvlink;
  p.nvls_bytes_per_s *= nvlink;
  return p;
}

}  // namespace

double searched_bytes_per_s(Generation generation, double nic_bytes_per_s) {
  for (const double gb : speeds_gb(generation)) {
    const double speed = gb * nccl::gb_per_s;
    if (speed <= nic_bytes_per_s) return speed * std::floor(nic_bytes_per_s / speed);
  }
  return nic_bytes_per_s;
}

TuningParameters moved_behind(const TuningParameters& parameters, const CommunicatorShape& shape) {
  return scaled(parameters, std::max(1.0, nic_ratio(parameters, shape, 1)),
                std::max(1.0, nic_ratio(parameters, shape, nics_of_gpu(shape))), std::max(1.0, nvlink_ratio(parameters, shape)));
}

TuningParameters expected_behind(const TuningParameters& parameters, const CommunicatorShape& shape) {
  return scaled(parameters, nic_ratio(parameters, shape, 1), nic_ratio(parameters, shape, nics_of_gpu(shape)),
                nvlink_ratio(parameters, shape));
}

}  // namespace gridlock::collectives

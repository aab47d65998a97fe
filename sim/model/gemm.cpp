#include "sim/model/gemm.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "sim/model/gemm_packed.hpp"

namespace gridlock::model {
namespace {

struct Tile {
  int m, n;
};

// Tile shapes of cuBLAS kernels on Ampere and Hopper, and the splits of k it tries.
constexpr std::array<Tile, 8> tiles{{{256, 128}, {128, 256}, {192, 128}, {128, 192}, {128, 128}, {128, 64}, {64, 128}, {64, 64}}};
constexpr std::array<int, 7> splits{1, 2, 3, 4, 5, 6, 8};
constexpr double split_below_waves = 2;      // with more tiles than that there is little to gain
constexpr std::int64_t least_split_k = 128;  // below it a part is all prologue

double operand_traffic(Tile tile) { return 1.0 / tile.m + 1.0 / tile.n; }

double ceil_div(double a, double b) { return std::ceil(a / b); }

}  // namespace

KernelTime gemm(const GemmShape& shape, const GemmModel& model, const MemoryModel& memory, const Device& device,
                GemmChoice* choice) {
  assert(shape.m > 0 && shape.n > 0 && shape.k > 0 && shape.batch > 0);
  if (model.kind == GemmKind::packed) return packed_gemm(shape, model, device);
  const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n), k = static_cast<double>(shape.k);
  const auto batch = static_cast<double>(shape.batch);
  const double bytes = batch * ((m * k + k * n) * shape.operand_bytes + m * n * shape.output_bytes);
  const double memory_s = bytes / (device.hbm_bytes_per_s * memory.efficiency);
  const double sm_flops = device.peak_flops / device.sms * model.ceiling;
  const double p = model.overlap_exponent;

  KernelTime best{std::numeric_limits<double>::infinity(), Bound::compute, 2 * batch * m * n * k, bytes};
  for (const Tile tile : tiles) {
    const double slowdown =
        (1 + model.tile_traffic * operand_traffic(tile)) / (1 + model.tile_traffic * operand_traffic(tiles[0]));
    const double whole_tiles = batch * ceil_div(m, tile.m) * ceil_div(n, tile.n);
    const bool may_split = whole_tiles < split_below_waves * device.sms;
    for (const int split : splits) {
      if (split > 1 && (!may_split || shape.k < split * least_split_k)) break;
      const double waves = ceil_div(whole_tiles * split, device.sms);
      const double compute_s = waves * (2.0 * tile.m * tile.n * ceil_div(k, split) / sm_flops * slowdown + model.wave_s);
      const double longer = std::max(compute_s, memory_s), shorter = std::min(compute_s, memory_s);
      const double both_s = longer * std::pow(1 + std::pow(shorter / longer, p), 1 / p);
      if (const double t = model.launch_s + both_s; t < best.device_s) {
        best.device_s = t;
        best.bound = compute_s >= memory_s ? Bound::compute : Bound::memory;
        if (choice != nullptr) *choice = {tile.m, tile.n, split, waves};
      }
    }
  }
  return best;
}

}  // namespace gridlock::model

// How fast kernels and links of one kind of cluster really are: fitted from microbenchmarks, never from training steps.
// Each profile file (scenarios/profiles/*.yaml) says where its numbers come from. Units: seconds, bytes, shares of 0 to 1.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "collectives/tuning.hpp"
#include "sim/model/model_spec.hpp"
#include "topology/specs.hpp"

namespace gridlock::model {

// How a library multiplies matrices: which of the equations hold.
enum class GemmKind : std::uint8_t {
  tiled,   // GPUs: waves of output tiles over the SMs (gemm.hpp)
  packed,  // CPUs: operands are copied into cache-sized panels, then multiplied (gemm_packed.hpp)
};

struct GemmModel {
  double ceiling = 0;           // share of the dense peak that an endless product (tiled: of 256 x 128 tiles) sustains
  double tile_traffic = 0;      // elements: a tile of m x n works at 1 / (1 + tile_traffic (1/m + 1/n)) of its speed
  double wave_s = 0;            // s a wave of tiles: prologue and epilogue that no other tile hides
  double launch_s = 0;          // s a kernel: start and drain of the whole GPU
  double overlap_exponent = 0;  // >= 1: how well arithmetic and HBM traffic overlap; 1 = not at all, infinity = the pure roofline
  GemmKind kind = GemmKind::tiled;
  double operand_bytes_per_s = 0;  // packed: A and B into panels
  double output_bytes_per_s = 0;   // packed: C written, and read where it is accumulated
};

// Element-wise and reduction kernels: start + bytes / (HBM peak * efficiency).
struct MemoryModel {
  double efficiency = 0;  // share of the HBM peak that streaming kernels reach
  double start_s = 0;     // s a kernel: start and drain of the whole GPU
};

// Fused attention: FLOPs (causal: half) / (dense peak * efficiency). Not used by unfused stacks.
struct FlashModel {
  double forward = 0;   // share of the dense peak
  double backward = 0;  // share of the dense peak, of 2.5 times the forward FLOPs (scores are computed again)
};

// What is known of the errors of fitted parameters, which are named as in profile files ("gemm.ceiling"). Those that are not
// listed are taken as exact.
struct Uncertainty {
  struct Correlation {
    std::string a, b;
    double r = 0;  // -1 to 1
  };
  std::map<std::string, double> standard_errors;  // one standard deviation, in the parameter's unit
  std::vector<Correlation> correlations;          // pairs that are not listed are independent
};

struct Profile {
  std::string name;
  std::string gpu;                         // the GpuSpec name it was fitted for
  Attention attention = Attention::flash;  // what the software stack runs
  bool fused_epilogues = false;            // the GEMM adds the bias and sums its gradient; else kernels of their own do
  bool fused_accumulation = true;          // the weight-gradient GEMM adds to the gradient buffer; else a kernel of its own does
  bool overlap_tensor_backward = true;     // tensor-parallel reductions of the backward pass run beside the weight gradient
  double dispatch_s = 0;                   // s: least time between two kernel starts by the host (0 under CUDA graphs)
  int collective_sms = 0;                  // SMs that a running tensor-parallel collective takes from a concurrent GEMM
  double reserved_bytes = 0;               // bytes a GPU: CUDA context, library workspaces, NCCL buffers
  GemmModel gemm;
  MemoryModel memory;
  FlashModel flash;
  topology::LinkParameters links;
  collectives::TuningParameters tuning;
  Uncertainty uncertainty;
  std::map<std::string, std::string> provenance;  // of a measured profile: device, library versions, date, command
};

}  // namespace gridlock::model

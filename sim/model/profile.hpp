// How fast kernels and links of one kind of cluster really are: fitted from microbenchmarks, never from training steps.
// Each profile file (scenarios/profiles/*.yaml) says where its numbers come from. Units: seconds, bytes, shares of 0 to 1.
#pragma once

#include <string>

#include "collectives/tuning.hpp"
#include "sim/model/model_spec.hpp"
#include "topology/specs.hpp"

namespace gridlock::model {

// Matrix multiplications; equations in gemm.hpp.
struct GemmModel {
  double ceiling = 0;           // share of the dense peak that an endless 256 x 128 tile sustains under the power limit
  double tile_traffic = 0;      // elements: a tile of m x n works at 1 / (1 + tile_traffic (1/m + 1/n)) of its speed
  double wave_s = 0;            // s a wave of tiles: prologue and epilogue that no other tile hides
  double launch_s = 0;          // s a kernel: start and drain of the whole GPU
  double overlap_exponent = 0;  // >= 1: how well arithmetic and HBM traffic overlap; 1 = not at all, infinity = the pure roofline
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
};

}  // namespace gridlock::model

// How fast kernels and links of one kind of cluster really are: fitted from microbenchmarks, never from training steps.
// Each profile file (scenarios/profiles/*.yaml) says where its numbers come from.
#pragma once

#include <map>
#include <string>

#include "collectives/tuning.hpp"
#include "sim/model/model_spec.hpp"
#include "topology/specs.hpp"

namespace gridlock::model {

struct Profile {
  std::string name;
  std::string gpu;                        // the GpuSpec name it was fitted for
  Attention attention = Attention::flash; // what the software stack runs
  double dispatch_s = 0;                  // least time between two kernel starts (0 under CUDA graphs)
  topology::LinkParameters links;
  collectives::TuningParameters tuning;
  // Kernel efficiency terms (GEMM tiles, waves and ceiling; HBM; attention) follow here.
};

}  // namespace gridlock::model

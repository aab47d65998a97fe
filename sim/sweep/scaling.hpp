// Scaling a job over more GPUs: `--scale gpus=1024..16384 --hold batch.global`.
//
//   nodes = gpus / GPUs of a node     data = gpus / (tensor x pipeline)
//   hold batch.global       strong scaling: the batch stays
//   hold batch.per_replica  weak scaling: each data-parallel replica keeps its share of the batch
//
//   efficiency(g)  = tokens/s/GPU at g / tokens/s/GPU at the smallest g
//   marginal(g)    = (throughput(g) / throughput(h) - 1) / (g / h - 1), h the size before: how well the added GPUs work
//                    compared with those that were there
//
// More GPUs stop paying where the marginal efficiency falls below one half.
//
// Worked example: 1,024 GPUs 8 s, 2,048 GPUs 4.4 s: throughput x 1.82, efficiency 0.91, marginal 0.82.
#pragma once

#include <string>

#include "sim/scenario/scenario.hpp"
#include "sim/sweep/result_file.hpp"

namespace gridlock::sweep {

inline constexpr double least_marginal = 0.5;

// "gpus=1024..16384" (doublings), "gpus=1024..4096:4" or a list. Throws SpecificationError.
Axis scale_axis(const std::string& text, const std::string& hold, const scenario::Scenario& s);

// Which sizes the scenario's batch does not divide over, and the next larger one that divides at all; empty when it does.
//   divides: batch.global a multiple of data x micro, and of pipeline times that under interleaved_1f1b
std::string batch_advice(const Axis& axis, const scenario::Scenario& s);

struct ScalePoint {
  std::uint64_t index = 0;
  double gpus = 0, step_s = 0, throughput = 0;       // tokens/s over all GPUs
  double speedup = 0, efficiency = 0, marginal = 0;  // marginal of the first: 1
};

// Points that did not fail, by ascending GPUs.
std::vector<ScalePoint> scale_points(const ResultFile& file);

// Table, and where it stops paying.
std::string scaling_text(const ResultFile& file);

}  // namespace gridlock::sweep

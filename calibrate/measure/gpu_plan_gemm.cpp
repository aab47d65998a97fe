#include <algorithm>

#include "calibrate/measure/gpu_plan_parts.hpp"

namespace gridlock::calibrate {
namespace {

// FLOP/s for estimates: half of what an A100 (fp8: an H100) reaches.
double guessed_rate(const std::string& dtype) {
  if (dtype == "fp32") return 8e12;
  if (dtype == "tf32") return 60e12;
  return dtype == "fp8" ? 300e12 : 120e12;
}

double element_bytes(const std::string& dtype) { return dtype == "fp8" ? 1 : dtype == "bf16" || dtype == "fp16" ? 2 : 4; }

std::vector<Shape> shapes_of(GpuPlan kind, const std::string& dtype) {
  const bool main_type = dtype == "bf16" || dtype == "fp8";  // what training uses
  std::vector<Shape> shapes;
  switch (kind) {
    case GpuPlan::check:
      return {{512, 512, 512}, {1024, 256, 2048}};
    case GpuPlan::held_out:
      return main_type ? held_out_shapes() : std::vector<Shape>{};
    case GpuPlan::quick:
      if (!main_type) return {};
      shapes = layer_shapes(2048, 8192, 28672, 8);
      for (const Shape& shape : layer_shapes(4096, 12288, 49152, 8)) shapes.push_back(shape);
      for (const std::int64_t edge : {512, 1024, 2048, 4096, 8192}) shapes.push_back({edge, edge, edge});
      for (const std::int64_t k : {1024, 16384}) shapes.push_back({4096, 4096, k});
      return shapes;
    case GpuPlan::full:
      shapes = grid_shapes();
      if (main_type)
        for (const Shape& shape : transformer_shapes({2048, 8192})) shapes.push_back(shape);
      return shapes;
  }
  return shapes;
}

}  // namespace

Plan gemm_points(GpuPlan kind, const Description& machine) {
  Plan plan;
  for (const std::string& dtype : machine.dtypes) {
    for (const Shape& s : shapes_of(kind, dtype)) {
      const double m = static_cast<double>(s.m), n = static_cast<double>(s.n), k = static_cast<double>(s.k);
      const double seconds = 2 * m * n * k / guessed_rate(dtype);
      const double bytes = element_bytes(dtype) * (m * k + k * n) + 4 * m * n;
      if (bytes > 0.4 * machine.memory_bytes || seconds > 0.15) continue;  // 8192^3 in fp32 is the longest
      plan.push_back(
          planned("gemm", {{"dtype", dtype}}, {{"m", m}, {"n", n}, {"k", k}, {"batch", 1}}, 0.2 + std::max(0.15, 10 * seconds)));
    }
  }
  return plan;
}

Plan attention_points(GpuPlan kind, const Description& machine) {
  Plan plan;
  if (std::find(machine.dtypes.begin(), machine.dtypes.end(), "bf16") == machine.dtypes.end()) return plan;
  const double head_dim = 128;
  std::vector<double> sequences = {1024, 2048, 4096, 8192}, heads = {8, 32};
  if (kind == GpuPlan::quick) sequences = {2048, 4096}, heads = {32};
  if (kind == GpuPlan::check) sequences = {256}, heads = {4};
  for (const double batch : heads) {
    for (const double sequence : sequences) {
      const double score_bytes = 2 * batch * sequence * sequence;
      if (score_bytes > 0.2 * machine.memory_bytes) continue;
      const double seconds = 2 * batch * sequence * sequence * head_dim / guessed_rate("bf16");
      const double expected = 0.2 + std::max(0.15, 10 * seconds);
      std::map<std::string, double> numbers{{"batch", batch}, {"sequence", sequence}, {"head_dim", head_dim}, {"m", sequence}};
      numbers["n"] = sequence, numbers["k"] = head_dim;
      plan.push_back(planned("attention", {{"dtype", "bf16"}, {"part", "scores"}}, numbers, expected));
      numbers["n"] = head_dim, numbers["k"] = sequence;
      plan.push_back(planned("attention", {{"dtype", "bf16"}, {"part", "values"}}, numbers, expected));
      plan.push_back(planned("softmax", {{"dtype", "bf16"}},
                             {{"rows", batch * sequence}, {"columns", sequence}, {"bytes", 2 * score_bytes}}, 0.35));
    }
  }
  return plan;
}

}  // namespace gridlock::calibrate

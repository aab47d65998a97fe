#include <fmt/format.h>

#include "sim/scenario/checks.hpp"

namespace gridlock::scenario {
namespace {

// Largest divisor of n that is at most `most`.
std::int64_t divisor_below(std::int64_t n, std::int64_t most) {
  for (std::int64_t d = std::min(n, most); d > 1; --d) {
    if (n % d == 0) return d;
  }
  return 1;
}

}  // namespace

void check_model(const Scenario& s, Diagnostics& out) {
  const model::ModelSpec& m = s.model;
  const int t = s.parallelism.tensor;
  const bool own_head_dim = s.places->has("model.head_dim");
  if (!own_head_dim && m.hidden % m.heads != 0) {
    out.error("not-divisible", s.places->at("model.heads"),
              fmt::format("hidden {} is not divisible by heads {}", m.hidden, m.heads), "change one of them, or write head_dim");
  }
  if (m.heads % m.kv_heads != 0) {
    out.error("not-divisible", s.places->at("model.kv_heads"),
              fmt::format("heads {} is not divisible by kv_heads {}", m.heads, m.kv_heads), "kv_heads must divide heads");
  }
  const auto split = [&](const char* what, std::int64_t n) {
    if (n % t == 0) return;
    out.error("not-divisible", s.places->at("parallelism.tensor"),
              fmt::format("{} {} of model '{}' is not divisible by tensor {}", what, n, m.name, t),
              fmt::format("write tensor: {}", divisor_below(n, t)));
  };
  split("heads", m.heads);
  if (m.kv_heads != m.heads) split("kv_heads", m.kv_heads);
  split("hidden", m.hidden);
  split("ffn", m.ffn);
  if (s.parallelism.sequence_parallel && s.batch.sequence % t != 0) {
    out.error("not-divisible", s.places->at("batch.sequence"),
              fmt::format("sequence {} is not divisible by tensor {}", s.batch.sequence, t),
              "sequence_parallel splits each sequence over the tensor-parallel ranks");
  }
  if (s.profile.collective_sms >= s.cluster.node.gpu.sms) {
    out.error("profile", s.places->at("profile"),
              fmt::format("collectives of the profile hold {} SMs, but {} has {}", s.profile.collective_sms,
                          s.cluster.node.gpu.name, s.cluster.node.gpu.sms),
              "write a smaller collective_sms, or the GPU's sms");
  }
  if (!s.cluster.node.gpu.peak_flops.contains(s.precision == Precision::bf16 ? "bf16" : "fp16")) {
    out.error(
        "missing-key", s.places->at("cluster.node.gpu.peak"),
        fmt::format("GPU '{}' has no peak for {}", s.cluster.node.gpu.name, s.precision == Precision::bf16 ? "bf16" : "fp16"),
        "write its dense peak, such as bf16: 989TFLOP/s");
  }
}

void check_expectations(const Scenario& s, Diagnostics& out) {
  if (!s.places->has("expect")) return;
  const Mark mark = s.places->at("expect.step_time");
  if (!s.expect_max_step_s && !s.expect_min_step_s)
    out.error("missing-key", mark, "expect says nothing about the step time", "write step_time: {max: 2s}, {min: 1s} or both");
  if (s.expect_max_step_s && s.expect_min_step_s && *s.expect_min_step_s > *s.expect_max_step_s)
    out.error("out-of-range", mark,
              fmt::format("no step time is at least {:g} s and at most {:g} s", *s.expect_min_step_s, *s.expect_max_step_s),
              "write a min below the max");
}

}  // namespace gridlock::scenario

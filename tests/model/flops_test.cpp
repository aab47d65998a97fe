#include "sim/model/flops.hpp"

#include <gtest/gtest.h>

#include "sample_models.hpp"

namespace gridlock::model {
namespace {

// Korthikanti et al. 2022, appendix A: 72 B s l h^2 (1 + s / (6 h) + V / (12 h l)); causal attention halves s / (6 h).
TEST(Flops, GptClosedForm) {
  const double b = 64, s = 2048, l = 96, h = 12288, v = 51200;
  const ModelSpec m = test::gpt(96, 12288, 96);
  EXPECT_NEAR(model_flops_full(m, 64, 2048) / (72 * b * s * l * h * h * (1 + s / (6 * h) + v / (12 * h * l))), 1, 1e-12);
  EXPECT_NEAR(model_flops_causal(m, 64, 2048) / (72 * b * s * l * h * h * (1 + s / (12 * h) + v / (12 * h * l))), 1, 1e-12);
}

// Selective: 4 B s^2 h more a layer (s / (3 h) of the 24 B s h^2 forward); full: 24 B s h^2 (1 + s / (6 h)).
TEST(Flops, RecomputationAddsToHardwareFlops) {
  const double b = 64, s = 2048, l = 96, h = 12288;
  const ModelSpec m = test::gpt(96, 12288, 96);
  const double model = model_flops_full(m, 64, 2048);
  EXPECT_EQ(hardware_flops(m, 64, 2048, Recompute::none, false), model);
  EXPECT_NEAR((hardware_flops(m, 64, 2048, Recompute::selective, false) - model) / (4 * b * s * s * h * l), 1, 1e-9);
  EXPECT_NEAR((hardware_flops(m, 64, 2048, Recompute::full, false) - model) / (24 * b * s * l * h * h * (1 + s / (6 * h))), 1,
              1e-9);
}

// Printed in Korthikanti et al. 2022, Table 5: step time and MFU of 22B, 175B, 530B and 1T (312 TFLOP/s, selective). Their HFU
// counts the recomputed attention three times (s / (6 h) of the model FLOPs instead of s / (18 h)): not compared.
TEST(Flops, PrintedUtilizations) {
  struct Row {
    int layers;
    std::int64_t hidden;
    int heads, gpus;
    double batch, step_s, mfu;
  };
  for (const Row& r : {Row{48, 6144, 64, 8, 4, 1.10, 0.415}, Row{96, 12288, 96, 64, 64, 13.75, 0.514},
                       Row{105, 20480, 128, 280, 280, 37.83, 0.560}, Row{128, 25600, 160, 512, 512, 71.49, 0.563}}) {
    const double flops = model_flops_full(test::gpt(r.layers, r.hidden, r.heads), r.batch, 2048);
    EXPECT_NEAR(flops / (r.step_s * r.gpus * 312e12), r.mfu, 0.003) << r.hidden;
  }
}

// GPT: 12 l h^2 (1 + 13 / (12 h)) + (V + s) h + 2 h  (Narayanan et al. 2021, eq. 2; and the final norm): 174.6 billion.
TEST(Parameters, Gpt175B) {
  const double l = 96, h = 12288, v = 51200, s = 2048;
  const ModelSpec m = test::gpt(96, 12288, 96);
  EXPECT_DOUBLE_EQ(total_parameters(m, 2048), 12 * l * h * h * (1 + 13 / (12 * h)) + (v + s) * h + 2 * h);
}

// Llama 3.1 8B has 8,030,261,248 parameters (its model card on Hugging Face).
TEST(Parameters, Llama8B) { EXPECT_EQ(total_parameters(test::llama_8b(), 8192), 8030261248.0); }

}  // namespace
}  // namespace gridlock::model

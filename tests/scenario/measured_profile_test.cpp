// Profiles that a calibration wrote: packed products, standard errors, correlations, provenance; and `scenario: matmul`.
#include "sim/scenario/matmul.hpp"
#include "sim/scenario/profile_parameters.hpp"
#include "tests/scenario/fixture.hpp"

namespace gridlock::scenario {
namespace {

class MeasuredProfileTest : public ScenarioTest {
 protected:
  std::string complaint_with(const std::string& profile) {
    write("p.yaml", "base: h100-sxm\n" + profile);
    return complaint(with("profile: h100-sxm", "profile: ./p.yaml"));
  }
  Scenario load_with(const std::string& profile) {
    write("p.yaml", "base: h100-sxm\n" + profile);
    return load(with("profile: h100-sxm", "profile: ./p.yaml"));
  }
};

TEST_F(MeasuredProfileTest, ErrorsComeInTheUnitOfTheQuantity) {
  const Scenario s = load_with(
      "standard_errors: {gemm.ceiling: 0.01, gemm.launch: 0.2us}\n"
      "correlations: [{a: gemm.ceiling, b: gemm.launch, r: -0.5}]\n"
      "provenance: {device: H100, date: 2026-01-02}\n");
  EXPECT_DOUBLE_EQ(s.profile.uncertainty.standard_errors.at("gemm.ceiling"), 0.01);
  EXPECT_DOUBLE_EQ(s.profile.uncertainty.standard_errors.at("gemm.launch"), 0.2e-6);
  ASSERT_EQ(s.profile.uncertainty.correlations.size(), 1u);
  EXPECT_DOUBLE_EQ(s.profile.uncertainty.correlations[0].r, -0.5);
  EXPECT_EQ(s.profile.provenance.at("device"), "H100");
  // The resolved scenario loads to the same.
  write("again.json", s.resolved_json);
  EXPECT_EQ(load_scenario("again.json").resolved_json, s.resolved_json);
}

TEST_F(MeasuredProfileTest, MistakesAreDiagnosed) {
  EXPECT_NE(complaint_with("standard_errors: {gemm.ceilin: 0.01}\n").find("did you mean 'gemm.ceiling'?"), std::string::npos);
  EXPECT_NE(complaint_with("standard_errors: {gemm.ceiling: -1}\n").find("more than zero"), std::string::npos);
  EXPECT_NE(complaint_with("standard_errors: {gemm.launch: 3}\n").find("p.yaml:2"), std::string::npos);  // no unit
  EXPECT_NE(complaint_with("standard_errors: [1]\n").find("not a map"), std::string::npos);
  EXPECT_NE(complaint_with("standard_errors: {gemm.ceiling: [1]}\n").find("not a single value"), std::string::npos);
  EXPECT_NE(complaint_with("correlations: [{a: gemm.ceiling, b: gemm.wave, r: 0}]\n").find("has no standard error"),
            std::string::npos);
  EXPECT_NE(complaint_with("standard_errors: {gemm.ceiling: 1}\ncorrelations: [{a: gemm.ceiling, b: gemm.ceiling, r: 2}]\n")
                .find("at most 1"),
            std::string::npos);
  EXPECT_NE(complaint_with("provenance: [a]\n").find("not a map"), std::string::npos);
}

// A packed profile needs the bandwidths and none of the tiles' terms; a tiled one the other way round.
TEST_F(MeasuredProfileTest, EachKindOfProductNeedsItsOwnTerms) {
  EXPECT_NE(complaint_with("gemm: {kind: packed}\n").find("missing key 'operand_bandwidth'"), std::string::npos);
  const Scenario s = load_with("gemm: {kind: packed, operand_bandwidth: 20GBps, output_bandwidth: 40GBps}\n");
  EXPECT_EQ(s.profile.gemm.kind, model::GemmKind::packed);
  EXPECT_DOUBLE_EQ(s.profile.gemm.output_bytes_per_s, 40e9);
  EXPECT_NE(complaint(with("profile: h100-sxm", "profile: {base: cpu, gemm: {kind: tiled}}")).find("missing key 'tile_traffic'"),
            std::string::npos);
}

TEST(ProfileParameters, AreNamedAsInTheFile) {
  model::Profile p;
  bool found = false;
  for (const ProfileParameter& parameter : profile_parameters(p)) {
    if (parameter.name != "gemm.ceiling") continue;
    found = true;
    *parameter.value = 0.25;
  }
  EXPECT_TRUE(found);
  EXPECT_DOUBLE_EQ(p.gemm.ceiling, 0.25);
}

class MatmulTest : public ScenarioTest {
 protected:
  static std::string products() {
    return "scenario: matmul\ncluster: {nodes: 1, node: hgx-h100}\nprofile: h100-sxm\nprecision: bf16\n"
           "products: [{m: 64, n: 128, k: 256}, {m: 1, n: 2, k: 3, batch: 4}]\n";
  }
  std::string matmul_complaint(const std::string& text) {
    write("m.yaml", text);
    try {
      load_matmul("m.yaml", {});
      return "";
    } catch (const InvalidScenario& e) {
      return e.what();
    }
  }
};

TEST_F(MatmulTest, IsRead) {
  write("m.yaml", products());
  EXPECT_EQ(scenario_kind("m.yaml", {}), "matmul");
  const Matmul m = load_matmul("m.yaml", {"products.0.m=65"});
  ASSERT_EQ(m.products.size(), 2u);
  EXPECT_EQ(m.products[0].m, 65);
  EXPECT_EQ(m.products[0].batch, 1);
  EXPECT_EQ(m.products[1].batch, 4);
  EXPECT_EQ(m.precision, "bf16");
}

TEST_F(MatmulTest, MistakesAreDiagnosed) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = products();
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_NE(matmul_complaint(with("m: 64, ", "")).find("missing key 'm'"), std::string::npos);
  EXPECT_NE(matmul_complaint(with("m: 64", "m: 0")).find("at least 1"), std::string::npos);
  EXPECT_NE(matmul_complaint(with("bf16", "fp64")).find("unknown value 'fp64'"), std::string::npos);
  EXPECT_NE(matmul_complaint(with("products: [{m: 64, n: 128, k: 256}, {m: 1, n: 2, k: 3, batch: 4}]", "seed: 2"))
                .find("nothing to multiply"),
            std::string::npos);
  // An A100 has no fp8.
  std::string text = with("bf16", "fp8");
  text.replace(text.find("hgx-h100"), 8, "hgx-a100");
  EXPECT_NE(matmul_complaint(text).find("has no fp8 peak"), std::string::npos) << matmul_complaint(text);
}

}  // namespace
}  // namespace gridlock::scenario

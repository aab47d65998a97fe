#include "sim/report/why.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <numeric>

#include "sim/engine/simulate.hpp"
#include "sim/whatif/trials.hpp"
#include "tests/engine/scenario_text.hpp"

namespace gridlock::report {
namespace {

using analysis::BoundKind;
using analysis::State;

// Two nodes, one GPU's worth of model each, slow NICs: gradients are exposed.
engine::test::ScenarioText slow_network() {
  engine::test::ScenarioText text;
  text.nodes = 2;
  text.fabric = "kind: rail_fat_tree, nic: 25Gbps";
  text.parallelism = "tensor: 1, pipeline: 1, data: 16";
  text.batch = "global: 64, micro: 1, sequence: 1024";
  return text;
}

const Finding* find(const Why& why, State state, const std::string& label) {
  for (const Finding& f : why.findings)
    if (f.state == state && std::find(f.labels.begin(), f.labels.end(), label) != f.labels.end()) return &f;
  return nullptr;
}

TEST(Why, FindingsAreTheWaitsOfAllGpus) {
  const scenario::Scenario s = engine::test::load(engine::test::ScenarioText{});
  const auto simulation = engine::simulate(s, {});
  const RunReport report(s, *simulation);
  const Why why = find_reasons(report);
  double waits = 0, found = 0;
  for (std::size_t i = 3; i < analysis::state_count; ++i) waits += report.breakdown.mean[i] * why.gpus;  // all but kernels, host
  for (const Finding& f : why.findings) found += f.gpu_seconds;
  EXPECT_LE(found, waits * (1 + 1e-9));
  EXPECT_GT(found, 0.98 * waits);  // findings below 0.1 % of the GPU time are left out
  for (std::size_t i = 1; i < why.findings.size(); ++i) EXPECT_GE(why.findings[i - 1].gpu_seconds, why.findings[i].gpu_seconds);
}

// The worked example of why_remedies.cpp: the wait at f times the bandwidth is max(0, 3 / f - 2) of its present length.
TEST(Why, BisectionFindsTheLeastFactorThatHidesAWait) {
  const scenario::Scenario s = engine::test::load(slow_network());
  const auto simulation = engine::simulate(s, {});
  const RunReport report(s, *simulation);
  Why why = find_reasons(report);
  const Finding* finding = find(why, State::exposed_data, "dp.all_reduce");
  ASSERT_NE(finding, nullptr);
  ASSERT_EQ(finding->bound, BoundKind::link);
  why.findings = {*finding};
  const double own = finding->gpu_seconds;
  double all = 0;  // the label's waits that something else bounds stay
  for (std::size_t k = 0; k < report.breakdown.ranks.size(); ++k)
    for (const analysis::Wait& wait : report.breakdown.ranks[k].waits)
      if (analysis::is_exposed(wait.state) && wait.for_what == "dp.all_reduce")
        all += wait.seconds * simulation->problem.ranks[k].members;
  int simulations = 0;
  const auto closed_form = [&](const whatif::Change& change) {
    ++simulations;
    EXPECT_FALSE(change.links.empty());
    whatif::Outcome outcome;
    outcome.step_s = 1;
    outcome.exposures["dp.all_reduce"].gpu_seconds = all - own + own * std::max(0.0, 3 / change.bandwidth_factor - 2);
    return outcome;
  };
  find_remedies(report, closed_form, 1, why);
  ASSERT_EQ(why.findings[0].remedies.size(), 1u);
  EXPECT_TRUE(why.findings[0].remedies[0].hides);
  EXPECT_NEAR(why.findings[0].remedies[0].factor, 1.5, 1e-12);
  EXPECT_LE(simulations, 10);  // unlimited, 16, and 8 halvings of 150 values
}

// What --why says about twice the bandwidth is what a scenario with such cables says.
TEST(Why, TheCounterfactualIsTrue) {
  engine::test::ScenarioText faster = slow_network();
  faster.fabric = "kind: rail_fat_tree, nic: 50Gbps";
  const scenario::Scenario s = engine::test::load(slow_network()), twice = engine::test::load(faster);
  whatif::Trials trials(s, true), reference(twice, true);
  const auto simulation = engine::simulate(s, {});
  const RunReport report(s, *simulation);
  Why why = find_reasons(report);
  find_remedies(
      report, [&](const whatif::Change& change) { return trials.run(change); }, 1, why);
  ASSERT_EQ(why.findings[0].operation, "dp.all_reduce");
  const Remedy& remedy = why.findings[0].remedies.at(0);
  EXPECT_EQ(remedy.factor, 2);
  EXPECT_FALSE(remedy.channels);
  EXPECT_EQ(remedy.links, std::vector<std::string>{"NIC to leaf"});
  const double step_s = reference.run({}).step_s;
  EXPECT_NEAR(remedy.step_s, step_s, 1e-9 * step_s);
  EXPECT_LT(remedy.step_s, report.step.time_s);
}

TEST(Why, FoldedAndUnfoldedTrialsAgree) {
  engine::test::ScenarioText text;
  text.faults = "slow: [{gpu: 5, factor: 0.7}]";
  const scenario::Scenario s = engine::test::load(text);
  whatif::Trials folded(s, true), full(s, false);
  whatif::Change healthy;
  healthy.healthy = true;
  for (const whatif::Change& change : {whatif::Change{}, healthy}) {
    const whatif::Outcome a = folded.run(change), b = full.run(change);
    EXPECT_NEAR(a.step_s, b.step_s, 1e-9 * a.step_s);
    ASSERT_EQ(a.exposures.size(), b.exposures.size());
    for (const auto& [label, exposure] : a.exposures)
      EXPECT_NEAR(exposure.gpu_seconds, b.exposures.at(label).gpu_seconds, 1e-6 * a.step_s) << label;
  }
  EXPECT_LT(folded.run(healthy).step_s, folded.run({}).step_s);
}

// The slow GPU is what the others wait for, and without it the step is that of the healthy scenario.
TEST(Why, ASlowGpuIsNamedAndItsCostIsTrue) {
  engine::test::ScenarioText text;
  text.faults = "slow: [{gpu: 5, factor: 0.5}]";
  const scenario::Scenario s = engine::test::load(text), healthy = engine::test::load(engine::test::ScenarioText{});
  whatif::Trials trials(s, true), reference(healthy, true);
  const auto simulation = engine::simulate(s, {});
  const RunReport report(s, *simulation);
  Why why = find_reasons(report);
  find_remedies(
      report, [&](const whatif::Change& change) { return trials.run(change); }, 3, why);
  bool said = false;
  for (const Finding& f : why.findings)
    for (const Remedy& remedy : f.remedies)
      if (remedy.kind == Remedy::Kind::healthy) {
        said = true;
        EXPECT_NEAR(remedy.step_s, reference.run({}).step_s, 1e-9);
      }
  EXPECT_TRUE(said);
}

TEST(ForkServer, AnswersFailsAndSurvivesDeadWorkers) {
  whatif::ForkServer server([](const std::string& request) -> std::string {
    if (request == "throw") throw std::runtime_error("thrown");
    if (request == "die") std::abort();
    if (request == "too much") throw std::bad_alloc();
    if (request == "killed") ::raise(SIGKILL);
    return request + request;
  });
  EXPECT_EQ(server.ask("ab"), "abab");
  EXPECT_EQ(server.ask(""), "");
  try {
    server.ask("throw");
    FAIL() << "no exception";
  } catch (const whatif::WorkerFailed& error) {
    EXPECT_STREQ(error.what(), "thrown");
  }
  const auto failure_of = [&](const std::string& request) {
    try {
      server.ask(request);
    } catch (const whatif::WorkerFailed& error) {
      return error.failure;
    }
    return whatif::Failure::none;
  };
  EXPECT_EQ(failure_of("throw"), whatif::Failure::internal);
  EXPECT_EQ(failure_of("die"), whatif::Failure::internal);
  EXPECT_EQ(failure_of("too much"), whatif::Failure::out_of_memory);
  EXPECT_EQ(failure_of("killed"), whatif::Failure::killed);
  const std::string large(1 << 20, 'x');
  EXPECT_EQ(server.ask(large).size(), 2u << 20);
}

}  // namespace
}  // namespace gridlock::report

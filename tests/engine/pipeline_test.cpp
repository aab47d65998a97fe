// What schedules cost in themselves, by the executor on a backend by hand and on SimGrid.
//   GPipe and 1F1B        (M + P - 1) (f + b): the bubble is (P - 1) (f + b)        (Narayanan et al., SC'21, section 2.2.1)
//   interleaved 1F1B      (M V + P - 1) (f + b) with f, b of one chunk: a V-th of the bubble              (section 2.2.2)
#include <gtest/gtest.h>

#include "alpha_beta_backend.hpp"
#include "run_in_child.hpp"
#include "sim/engine/executor.hpp"
#include "sim/engine/make_backend.hpp"
#include "toy_pipeline.hpp"

namespace gridlock::engine::test {
namespace {

using scenario::Schedule;

double by_hand(const ToyPipeline& toy, bool contract) {
  const Problem problem = toy.problem();
  AlphaBetaBackend backend(problem);
  return execute(problem, backend, {.contract = contract}).step_seconds();
}

double on_simgrid(const ToyPipeline& toy) {
  return run_in_child([&]() -> std::vector<double> {
    const Problem problem = toy.problem();
    const auto backend = make_backend(problem, Sharing::simgrid);
    return {execute(problem, *backend, {.contract = false}).step_seconds()};
  })[0];
}

struct Case {
  Schedule schedule;
  int stages, micro_batches, chunks;
};

std::string name_of(const ::testing::TestParamInfo<Case>& one) {
  const Case& c = one.param;
  const char* schedule = c.schedule == Schedule::gpipe         ? "GPipe"
                         : c.schedule == Schedule::one_f_one_b ? "OneForwardOneBackward"
                                                               : "Interleaved";
  return std::string(schedule) + "P" + std::to_string(c.stages) + "M" + std::to_string(c.micro_batches) + "V" +
         std::to_string(c.chunks);
}
void PrintTo(const Case& c, std::ostream* out) { *out << name_of({c, 0}); }  // not its bytes: padding differs from run to run

class Bubble : public ::testing::TestWithParam<Case> {};

TEST_P(Bubble, IsThatOfTheClosedForm) {
  const auto [schedule, stages, micro_batches, chunks] = GetParam();
  const double f = 1e-3, b = 2e-3, expected = (micro_batches * chunks + stages - 1) * (f + b);
  const ToyPipeline toy(schedule, stages, micro_batches, chunks, f, b, chunks > 1);
  EXPECT_NEAR(by_hand(toy, true), expected, 1e-9 * expected);
  EXPECT_NEAR(by_hand(toy, false), expected, 1e-9 * expected);
  EXPECT_NEAR(on_simgrid(toy), expected, 1e-9 * expected);
}

INSTANTIATE_TEST_SUITE_P(Pipeline, Bubble,
                         ::testing::Values(Case{Schedule::gpipe, 4, 8, 1}, Case{Schedule::one_f_one_b, 4, 8, 1},
                                           Case{Schedule::one_f_one_b, 8, 8, 1}, Case{Schedule::one_f_one_b, 4, 2, 1},
                                           Case{Schedule::one_f_one_b, 1, 5, 1}, Case{Schedule::interleaved_1f1b, 2, 4, 2},
                                           Case{Schedule::interleaved_1f1b, 4, 8, 2}, Case{Schedule::interleaved_1f1b, 4, 16, 3}),
                         name_of);

}  // namespace
}  // namespace gridlock::engine::test

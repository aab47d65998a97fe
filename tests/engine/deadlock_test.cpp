// Programs that wait for ever end in a report that names the ranks, never in silence.
#include <gtest/gtest.h>

#include "alpha_beta_backend.hpp"
#include "hand_made.hpp"
#include "run_in_child.hpp"
#include "sim/engine/simulate.hpp"

namespace gridlock::engine::test {
namespace {

using collectives::Kind;
using parallel::TaskKind;

// What the Deadlock says, folded or not; empty when the run ends well.
std::string blocked(const GraphBuilder& built, bool fold) {
  try {
    run_in_child([&]() -> std::vector<double> {
      try {
        simulate(topology::build_fabric(machine(1), {}, {}), built.graph, rings(), 1, {.fold = fold});
      } catch (const Deadlock& deadlock) {
        std::string all;
        for (const std::string& line : deadlock.blocked) all += line + "\n";
        throw std::runtime_error(all);
      }
      return {};
    });
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

void expect_says(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

class Deadlocks : public ::testing::TestWithParam<bool> {};

// Rank 1 expects two messages, rank 0 sends one.
TEST_P(Deadlocks, ReceiveWithoutASend) {
  GraphBuilder built({0, 1});
  built.message(0, 1);
  const Index transfer = built.transfer(1e6);
  built.task(0, TaskKind::send, transfer);
  built.task(1, TaskKind::receive, transfer);
  built.task(1, TaskKind::receive, transfer);
  const std::string text = blocked(built, GetParam());
  expect_says(text, "rank 1");
  expect_says(text, "receive message");
  EXPECT_EQ(text.find("rank 0"), std::string::npos) << text;
}

TEST_P(Deadlocks, ReceiveFromNobody) {
  GraphBuilder built({0, 1});
  built.task(0, TaskKind::block, built.kernel(1e-3));
  built.task(1, TaskKind::receive, built.transfer(1e6));
  expect_says(blocked(built, GetParam()), "rank 1");
}

// Each waits for the other's message before it sends its own.
TEST_P(Deadlocks, CyclicWait) {
  GraphBuilder built({0, 1});
  built.message(0, 1);
  built.message(1, 0);
  const Index transfer = built.transfer(1e6);
  for (parallel::RankId r : {0u, 1u}) {
    const Index received = built.task(r, TaskKind::receive, transfer, 1);
    built.task(r, TaskKind::send, transfer, 0, {received});
  }
  const std::string text = blocked(built, GetParam());
  expect_says(text, "rank 0");
  expect_says(text, "cannot start");
  expect_says(text, "never ends");
}

TEST_P(Deadlocks, CollectiveThatOneMemberNeverJoins) {
  GraphBuilder built({0, 1, 2});
  const Index call = built.call(Kind::all_reduce, 1e6);
  built.communicator({0, 1, 2});
  built.task(0, TaskKind::collective, call);
  built.task(1, TaskKind::collective, call);
  built.task(2, TaskKind::block, built.kernel(1e-3));
  const std::string text = blocked(built, GetParam());
  expect_says(text, "rank 0");
  expect_says(text, "call in step 1 never ends");
  EXPECT_EQ(text.find("rank 2"), std::string::npos) << text;
}

// Compute waits for a message that its own later send would have answered.
TEST_P(Deadlocks, ComputeBehindAMessageThatNeverComes) {
  GraphBuilder built({0, 1});
  built.message(0, 1);
  const Index transfer = built.transfer(1e6), kernel = built.kernel(1e-3);
  const Index received = built.task(1, TaskKind::receive, transfer, 1);
  built.task(1, TaskKind::block, kernel, 0, {received});
  built.task(0, TaskKind::block, kernel);
  const std::string text = blocked(built, GetParam());
  expect_says(text, "rank 1");
  expect_says(text, "block in step 1 cannot start");
}

INSTANTIATE_TEST_SUITE_P(Engine, Deadlocks, ::testing::Bool(), [](const auto& fold) { return fold.param ? "Folded" : "Full"; });

// Members that call different things on one communicator are a bug of the graph, not a deadlock.
TEST(Executor, MembersMustAgreeOnTheirCalls) {
  GraphBuilder built({0, 1});
  const Index a = built.call(Kind::all_reduce, 1e6), b = built.call(Kind::all_gather, 1e6);
  built.communicator({0, 1});
  built.task(0, TaskKind::collective, a);
  built.task(1, TaskKind::collective, b);
  const topology::Fabric fabric = topology::build_fabric(machine(1), {}, {});
  const topology::Router router(fabric, 1);
  const parallel::Traffic traffic = parallel::make_traffic(built.graph, fabric, router, rings());
  const Problem problem = full_problem(built.graph, traffic, fabric);
  AlphaBetaBackend backend(problem);
  EXPECT_THROW(execute(problem, backend, {}), std::logic_error);
}

}  // namespace
}  // namespace gridlock::engine::test

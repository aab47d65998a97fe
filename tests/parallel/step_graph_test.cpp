// The programs of a scenario: who sends what to whom in which order, when gradients and parameters travel, and who is in which
// group.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/model/model_spec.hpp"
#include "sim/parallel/layout.hpp"
#include "sim/parallel/program.hpp"
#include "sim/parallel/step_builder.hpp"
#include "tests/engine/scenario_text.hpp"

namespace gridlock::parallel {
namespace {

using engine::test::load;
using engine::test::ScenarioText;

// A pass that a message belongs to, and the chunk at the receiver.
using Passed = std::pair<int, int>;

std::vector<const Task*> tasks_of(const Program& program, TaskKind kind, std::uint8_t slot, int step) {
  std::vector<const Task*> all;
  for (const Task& task : program.tasks)
    if (task.kind == kind && task.slot == slot && task.step == step) all.push_back(&task);
  return all;
}

void expect_messages_match(const StepGraph& graph, const scenario::Parallelism& p) {
  const Layout layout(p);
  for (const Message& message : graph.messages)
    for (int step = 0; step < graph.steps; ++step) {
      std::vector<Passed> sent, received;
      const Program& from = graph.programs[graph.rank_program[message.from]];
      const Program& to = graph.programs[graph.rank_program[message.to]];
      for (const Task* task : tasks_of(from, TaskKind::send, message.slot, step)) {
        const bool wraps = message.slot == message_slot::forward ? from.stage == p.pipeline - 1 : from.stage == 0;
        const int there = task->chunk + (!wraps ? 0 : message.slot == message_slot::forward ? 1 : -1);
        sent.push_back({task->micro_batch, there});
      }
      for (const Task* task : tasks_of(to, TaskKind::receive, message.to_slot, step))
        received.push_back({task->micro_batch, task->chunk});
      EXPECT_EQ(sent, received) << "slot " << int(message.slot) << " from rank " << message.from << " to " << message.to
                                << ", step " << step;
    }
}

TEST(StepGraph, EveryReceiveHasItsSendInTheSameOrder) {
  for (const char* schedule : {"schedule: gpipe", "schedule: 1f1b", "schedule: interleaved_1f1b, virtual_stages: 2",
                               "schedule: interleaved_1f1b, virtual_stages: 4"})
    for (const char* stages : {"pipeline: 2, data: 16", "pipeline: 4, data: 8"}) {
      ScenarioText text;
      text.model = "layers: 16, hidden: 1024, heads: 16, vocab: 51200";
      text.parallelism = std::string("tensor: 2, ") + stages + ", " + schedule;
      text.batch = "global: 128, micro: 1, sequence: 512";
      const scenario::Scenario scenario = load(text);
      expect_messages_match(build_step_graph(scenario), scenario.parallelism);
    }
}

// With 1F1B the first stage sends no gradient back and the last one no activation on.
TEST(StepGraph, TheEndsOfThePipelineAreOpen) {
  ScenarioText text;
  const StepGraph graph = build_step_graph(load(text));
  EXPECT_TRUE(tasks_of(graph.programs[0], TaskKind::send, message_slot::backward, 0).empty());
  EXPECT_EQ(tasks_of(graph.programs[0], TaskKind::send, message_slot::forward, 0).size(), 4u);  // 32 / (8 * 1) micro-batches
  EXPECT_TRUE(tasks_of(graph.programs[1], TaskKind::send, message_slot::forward, 0).empty());
  EXPECT_TRUE(tasks_of(graph.programs[0], TaskKind::receive, message_slot::forward, 0).empty());
}

TEST(StepGraph, DependenciesPointBack) {
  ScenarioText text;
  text.parallelism = "tensor: 4, pipeline: 2, data: 8, schedule: interleaved_1f1b, virtual_stages: 2, sequence_parallel: true";
  text.optimizer = "zero: 1, bucket: 3M";
  for (const Program& program : build_step_graph(load(text)).programs)
    for (Index t = 0; t < program.tasks.size(); ++t) {
      const Task& task = program.tasks[t];
      EXPECT_LT(task.stream, program.streams);
      for (Index d = 0; d < task.dependency_count; ++d) {
        ASSERT_LT(program.dependencies[task.first_dependency + d], t);
        EXPECT_LE(program.tasks[program.dependencies[task.first_dependency + d]].step, task.step);
      }
    }
}

// Gradients of a chunk are complete only with the last micro-batch: no bucket leaves before that backward pass.
TEST(StepGraph, GradientsLeaveInTheLastBackwardPassOfTheirChunk) {
  ScenarioText text;
  text.parallelism = "tensor: 4, pipeline: 2, data: 8, schedule: interleaved_1f1b, virtual_stages: 2";
  text.optimizer = "zero: 1, bucket: 3M";
  const StepGraph graph = build_step_graph(load(text));
  const int last = 32 / 8 - 1;
  for (const Program& program : graph.programs) {
    std::map<int, int> calls;
    for (const Task& task : program.tasks) {
      if (task.kind != TaskKind::collective || graph.calls[task.what].label != "dp.reduce_scatter") continue;
      ++calls[task.chunk];
      ASSERT_EQ(task.dependency_count, 1);
      const Task& after = program.tasks[program.dependencies[task.first_dependency]];
      EXPECT_EQ(after.kind, TaskKind::block);
      EXPECT_EQ(after.micro_batch, last);
      EXPECT_EQ(after.chunk, task.chunk);
      EXPECT_EQ(after.step, task.step);
      EXPECT_NE(graph.blocks[after.what].name.find("backward"), std::string::npos);
    }
    EXPECT_EQ(calls.size(), 2u);
    for (const auto& [chunk, count] : calls) EXPECT_GE(count, 2 * 2) << "several buckets a chunk, in two steps";
  }
}

// All gradient bytes of a stage travel once a step: parameters per GPU times 4 bytes; all-gathers carry 2 bytes a parameter.
TEST(StepGraph, AllParametersTravel) {
  ScenarioText text;
  text.model = "layers: 6, hidden: 1024, heads: 16, vocab: 51200, tied_embeddings: false";
  text.parallelism = "tensor: 4, pipeline: 2, data: 8, schedule: 1f1b, layers_per_stage: [2, 4]";
  for (const char* overlap : {"true", "false"}) {
    text.optimizer = std::string("zero: 1, bucket: 3M, overlap_gradients: ") + overlap;
    const scenario::Scenario scenario = load(text);
    const StepGraph graph = build_step_graph(scenario);
    for (const Program& program : graph.programs) {
      double parameters = model::layer_parameters(scenario.model) * (program.stage == 0 ? 2 : 4);
      parameters +=
          program.stage == 0 ? model::embedding_parameters(scenario.model, 1024) : model::head_parameters(scenario.model);
      parameters /= 4;
      double reduced = 0, gathered = 0;
      for (const Task& task : program.tasks) {
        if (task.step != 1 || task.kind != TaskKind::collective) continue;
        if (graph.calls[task.what].label == "dp.reduce_scatter") reduced += graph.calls[task.what].bytes;
        if (graph.calls[task.what].label == "dp.all_gather") gathered += graph.calls[task.what].bytes;
      }
      EXPECT_NEAR(reduced, 4 * parameters, 1e-9 * reduced) << program.name;
      EXPECT_NEAR(gathered, 2 * parameters, 1e-9 * gathered) << program.name;
    }
  }
}

// Parameters are gathered for the first micro-batch alone; later ones find them.
TEST(StepGraph, OnlyTheFirstForwardPassWaitsForParameters) {
  ScenarioText text;
  text.optimizer = "zero: 1, bucket: 3M";
  const StepGraph graph = build_step_graph(load(text));
  for (const Program& program : graph.programs) {
    int waits = 0;
    for (const Task& task : program.tasks) {
      if (task.kind != TaskKind::block) continue;
      for (Index d = 0; d < task.dependency_count; ++d) {
        const Task& before = program.tasks[program.dependencies[task.first_dependency + d]];
        if (before.kind != TaskKind::collective || graph.calls[before.what].label != "dp.all_gather") continue;
        ++waits;
        EXPECT_EQ(task.micro_batch, 0);
        EXPECT_EQ(task.step, before.step);
        EXPECT_NE(graph.blocks[task.what].name.find("forward"), std::string::npos);
      }
    }
    EXPECT_EQ(waits, 2 * (2 + 1)) << "two steps of two layers and the embedding or the head";
  }
}

// The optimiser comes after the last gradient, and the next step's gathers after the optimiser.
TEST(StepGraph, TheOptimiserStandsBetweenSteps) {
  ScenarioText text;
  text.optimizer = "zero: 1, bucket: 3M";
  text.model = "layers: 4, hidden: 1024, heads: 16, vocab: 51200, tied_embeddings: false";
  const StepGraph graph = build_step_graph(load(text));
  for (const Program& program : graph.programs) {
    Index last_reduce = none, norm = none, optimizer = none;
    for (Index t = 0; t < program.tasks.size(); ++t) {
      const Task& task = program.tasks[t];
      const std::string& label = task.kind == TaskKind::collective ? graph.calls[task.what].label
                                 : task.kind == TaskKind::block    ? graph.blocks[task.what].name
                                                                   : "";
      if (task.step == 0 && label == "dp.reduce_scatter") last_reduce = t;
      if (task.step == 0 && label == "gradient_norm") norm = t;
      if (task.step == 0 && label == "optimizer") optimizer = t;
      if (task.step == 1 && label == "dp.all_gather") {
        ASSERT_EQ(task.dependency_count, 1);
        EXPECT_EQ(program.dependencies[task.first_dependency], optimizer);
      }
    }
    ASSERT_NE(norm, none);
    const Task& block = program.tasks[norm];
    const auto first = program.dependencies.begin() + block.first_dependency;
    EXPECT_NE(std::find(first, first + block.dependency_count, last_reduce), first + block.dependency_count)
        << "the norm waits for the last bucket";
    EXPECT_GT(optimizer, norm);
  }
}

TEST(StepGraph, EveryRankIsInItsGroups) {
  ScenarioText text;
  text.parallelism = "tensor: 4, pipeline: 2, data: 8, schedule: 1f1b";
  const scenario::Scenario scenario = load(text);
  const StepGraph graph = build_step_graph(scenario);
  const Layout layout(scenario.parallelism);
  std::map<int, int> groups;
  for (const Communicator& c : graph.communicators) {
    ++groups[c.slot];
    EXPECT_TRUE(std::is_sorted(c.members.begin(), c.members.end()));
    std::set<int> tensor, data, pipeline;
    for (RankId rank : c.members) {
      const Position at = layout.position_of(rank);
      tensor.insert(at.tensor), data.insert(at.data), pipeline.insert(at.pipeline);
    }
    if (c.slot == comm_slot::tensor) {
      EXPECT_TRUE(tensor.size() == 4 && data.size() == 1 && pipeline.size() == 1);
    }
    if (c.slot == comm_slot::data) {
      EXPECT_TRUE(tensor.size() == 1 && data.size() == 8 && pipeline.size() == 1);
    }
    if (c.slot == comm_slot::embedding) {
      EXPECT_TRUE(tensor.size() == 1 && data.size() == 1 && pipeline.size() == 2);
    }
    if (c.slot == comm_slot::gradient_norm) {
      EXPECT_TRUE(tensor.size() == 4 && data.size() == 1 && pipeline.size() == 2);
    }
  }
  EXPECT_EQ(groups[comm_slot::tensor], 16);
  EXPECT_EQ(groups[comm_slot::data], 8);
  EXPECT_EQ(groups[comm_slot::embedding], 32);
  EXPECT_EQ(groups[comm_slot::gradient_norm], 8);
}

// Chunk c of stage s holds layers_per_stage[c * P + s]: with [1, 2, 3, 4] on two stages, stage 0 has 1 and 3.
TEST(StepGraph, LayersGoToTheirChunks) {
  ScenarioText text;
  text.model = "layers: 10, hidden: 1024, heads: 16, vocab: 51200";
  text.parallelism =
      "tensor: 4, pipeline: 2, data: 8, schedule: interleaved_1f1b, virtual_stages: 2, layers_per_stage: [1, 2, 3, 4]";
  const StepGraph graph = build_step_graph(load(text));
  std::map<std::pair<int, int>, int> layers;
  for (const Program& program : graph.programs)
    for (const Task& task : program.tasks)
      if (task.kind == TaskKind::block && task.micro_batch == 0 && task.step == 0 &&
          graph.blocks[task.what].name == "layer.forward")
        ++layers[{program.stage, task.chunk}];
  EXPECT_EQ(layers, (std::map<std::pair<int, int>, int>{{{0, 0}, 1}, {{1, 0}, 2}, {{0, 1}, 3}, {{1, 1}, 4}}));
}

// Faults and placement meet in the rank: the slow GPU is physical.
TEST(StepGraph, TheSlowGpuIsThePhysicalOne) {
  ScenarioText text;
  text.placement = "scattered";
  text.faults = "slow: [{gpu: 13, factor: 0.5}]";
  const StepGraph graph = build_step_graph(load(text));
  for (std::size_t rank = 0; rank < graph.rank_gpu.size(); ++rank)
    EXPECT_EQ(graph.rank_speed[rank], graph.rank_gpu[rank] == 13 ? 0.5 : 1.0);
  EXPECT_NE(graph.rank_gpu[13], 13u) << "the placement does not scatter: the test shows nothing";
}

}  // namespace
}  // namespace gridlock::parallel

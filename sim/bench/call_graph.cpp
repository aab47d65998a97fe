#include "sim/bench/call_graph.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

namespace gridlock::bench {
namespace {

using parallel::Index;
using parallel::none;

constexpr std::size_t most_slots = 200;  // slots and streams are numbered in one byte

class Builder {
 public:
  Builder(const Machine& machine, const std::vector<Job>& jobs, const std::vector<Round>& rounds)
      : machine_(machine), jobs_(jobs), rounds_(rounds) {}

  CallGraph build() {
    number_slots();
    add_ranks();
    add_communicators();
    add_calls();
    add_programs();
    add_traffic();
    return std::move(made_);
  }

 private:
  void number_slots() {
    bool groups = jobs_.size() > 1;
    for (const Job& job : jobs_) {
      first_slot_.push_back(static_cast<std::uint8_t>(slots_));
      slots_ += job.levels().size();
      groups = groups || job.levels().size() > 1;
      if (slots_ >= most_slots) throw std::invalid_argument("too many collectives at once");
    }
    barriers_ = groups;
    if (barriers_) ++slots_;
  }

  std::uint8_t slot(std::size_t job, Level level) const {
    return static_cast<std::uint8_t>(first_slot_[job] + (level == Level::across ? 1 : 0));
  }
  std::uint8_t barrier_slot() const { return static_cast<std::uint8_t>(slots_ - 1); }

  // Ranks are the GPUs of all jobs, in order.
  void add_ranks() {
    std::vector<topology::GpuId>& gpus = made_.graph.rank_gpu;
    for (const Job& job : jobs_) gpus.insert(gpus.end(), job.gpus().begin(), job.gpus().end());
    if (jobs_.size() > 1) {
      std::ranges::sort(gpus);
      gpus.erase(std::ranges::unique(gpus).begin(), gpus.end());
    }
    rank_of_.assign(machine_.fabric.gpu_count(), none);
    for (Index rank = 0; rank < gpus.size(); ++rank) rank_of_[gpus[rank]] = rank;
    made_.graph.rank_speed.assign(gpus.size(), 1);
    made_.graph.communicator_slots = static_cast<std::uint8_t>(slots_);
    made_.graph.rank_communicator.assign(gpus.size() * slots_, none);
    member_.assign(gpus.size(), std::vector<bool>(jobs_.size(), false));
    for (std::size_t j = 0; j < jobs_.size(); ++j)
      for (const topology::GpuId gpu : jobs_[j].gpus()) member_[rank_of_[gpu]][j] = true;
  }

  void add_communicators() {
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      for (const Level level : jobs_[j].levels()) {
        for (const Group& group : jobs_[j].groups(level)) {
          std::vector<parallel::RankId> ranks;
          for (const topology::GpuId gpu : group.gpus) ranks.push_back(rank_of_[gpu]);
          add_communicator(slot(j, level), std::move(ranks));
        }
      }
    }
    if (!barriers_) return;
    std::vector<parallel::RankId> all;
    for (Index rank = 0; rank < made_.graph.rank_gpu.size(); ++rank) all.push_back(rank);
    add_communicator(barrier_slot(), std::move(all));
  }

  void add_communicator(std::uint8_t in, std::vector<parallel::RankId> ranks) {
    for (const parallel::RankId rank : ranks)
      made_.graph.rank_communicator[rank * slots_ + in] = static_cast<Index>(made_.graph.communicators.size());
    parallel::Communicator one;
    one.slot = in;
    one.members = std::move(ranks);
    made_.graph.communicators.push_back(std::move(one));
  }

  Index add_call(std::string label, collectives::Kind kind, double bytes) {
    made_.graph.calls.push_back({std::move(label), kind, bytes});
    return static_cast<Index>(made_.graph.calls.size() - 1);
  }

  void add_calls() {
    for (const Round& round : rounds_) {
      auto& turns = made_.calls.emplace_back();
      for (const Turn& turn : round) {
        auto& phases = turns.emplace_back();
        for (const LevelCall& call : jobs_[turn.job].calls(*turn.row))
          phases.push_back(add_call(std::string(collectives::name(call.kind)), call.kind, call.bytes));
      }
    }
    if (barriers_) barrier_ = add_call("barrier", collectives::Kind::all_reduce, 0);
  }

  void add_programs() {
    std::map<std::vector<bool>, Index> programs;
    for (const std::vector<bool>& jobs : member_) {
      const auto [found, fresh] = programs.try_emplace(jobs, static_cast<Index>(made_.graph.programs.size()));
      if (fresh) made_.graph.programs.push_back(program(jobs));
      made_.graph.rank_program.push_back(found->second);
    }
  }

  parallel::Program program(const std::vector<bool>& member) const {
    parallel::Program program;
    program.name = "collective";
    program.streams = static_cast<std::uint8_t>(jobs_.size());
    Index barrier = none;
    for (std::size_t r = 0; r < rounds_.size(); ++r) {
      const Index first = static_cast<Index>(program.tasks.size());
      for (std::size_t t = 0; t < rounds_[r].size(); ++t) {
        const Turn& turn = rounds_[r][t];
        if (!member[turn.job]) continue;
        const std::vector<LevelCall> calls = jobs_[turn.job].calls(*turn.row);
        for (std::size_t p = 0; p < calls.size(); ++p)
          add_task(program, static_cast<std::uint8_t>(turn.job), slot(turn.job, calls[p].level), made_.calls[r][t][p], barrier,
                   barrier == none ? 0 : 1);
      }
      if (!barriers_) continue;
      const Index count = static_cast<Index>(program.tasks.size()) - first;
      add_task(program, 0, barrier_slot(), barrier_, first, count);
      barrier = static_cast<Index>(program.tasks.size() - 1);
    }
    return program;
  }

  // A call that waits for `count` tasks from `first` on.
  static void add_task(parallel::Program& program, std::uint8_t stream, std::uint8_t slot, Index call, Index first, Index count) {
    parallel::Task task;
    task.kind = parallel::TaskKind::collective;
    task.stream = stream;
    task.slot = slot;
    task.what = call;
    task.first_dependency = static_cast<Index>(program.dependencies.size());
    task.dependency_count = static_cast<std::uint16_t>(count);
    for (Index i = 0; i < count; ++i) program.dependencies.push_back(first + i);
    program.tasks.push_back(task);
  }

  Index shape_index(std::uint8_t of, const collectives::CommunicatorShape& shape) {
    for (Index s = 0; s < made_.traffic.shapes.size(); ++s)
      if (slot_of_shape_[s] == of && made_.traffic.shapes[s] == shape) return s;
    made_.traffic.shapes.push_back(shape);
    slot_of_shape_.push_back(of);
    made_.traffic.plans.resize(made_.traffic.shapes.size() * made_.graph.calls.size());
    return static_cast<Index>(made_.traffic.shapes.size() - 1);
  }

  // Where training steps treat calls of a few bytes as latency alone (parallel/traffic.hpp), here every byte flows.
  void add_traffic() {
    made_.traffic.calls = made_.graph.calls.size();
    made_.traffic.communicators.resize(made_.graph.communicators.size());
    std::size_t communicator = 0;
    for (std::size_t j = 0; j < jobs_.size(); ++j)
      for (const Level level : jobs_[j].levels())
        for (const Group& group : jobs_[j].groups(level)) add_group(j, level, group, made_.traffic.communicators[communicator++]);
    if (barriers_) made_.traffic.communicators[communicator].shape = shape_index(barrier_slot(), {});
  }

  void add_group(std::size_t j, Level level, const Group& group, parallel::CommunicatorTraffic& traffic) {
    const Job& job = jobs_[j];
    traffic.shape = shape_index(slot(j, level), group.shape);
    for (std::size_t r = 0; r < rounds_.size(); ++r) {
      for (std::size_t t = 0; t < rounds_[r].size(); ++t) {
        if (rounds_[r][t].job != j) continue;
        const std::vector<LevelCall> calls = job.calls(*rounds_[r][t].row);
        for (std::size_t p = 0; p < calls.size(); ++p)
          if (calls[p].level == level) add_plan(job, group, calls[p], made_.calls[r][t][p], traffic);
      }
    }
  }

  void add_plan(const Job& job, const Group& group, const LevelCall& call, Index index, parallel::CommunicatorTraffic& traffic) {
    parallel::CallPlan plan;
    plan.choice = job.candidates(group, call).front();
    plan.wire_bytes = job.wire_bytes(group, call, plan.choice);
    made_.traffic.plans[traffic.shape * made_.traffic.calls + index] = plan;
    const auto laid = std::ranges::find(traffic.patterns, plan.choice.algorithm, &parallel::EdgeRange::algorithm);
    if (plan.wire_bytes > 0 && laid == traffic.patterns.end())
      traffic.patterns.push_back(add_edges(job, group, call.kind, plan.choice.algorithm));
  }

  parallel::EdgeRange add_edges(const Job& job, const Group& group, collectives::Kind kind, collectives::Algorithm algorithm) {
    parallel::Traffic& traffic = made_.traffic;
    parallel::EdgeRange range{algorithm, static_cast<Index>(traffic.edges.size()), 0};
    const std::size_t ranks = group.gpus.size(), first_link = traffic.links.size();
    const bool all_pairs = algorithm == collectives::Algorithm::point_to_point && kind == collectives::Kind::all_to_all;
    job.for_each_edge(group, kind, algorithm, [&](std::span<const collectives::WeightedLink> links, double share) {
      // From the pairs of the first rank the room for all is known: growing by doubling would copy gigabytes.
      if (all_pairs && range.count == ranks - 1) {
        const std::size_t of_one = traffic.links.size() - first_link;
        traffic.links.reserve(first_link + of_one * ranks + of_one * ranks / 16);
        traffic.edges.reserve(range.first + ranks * (ranks - 1));
      }
      ++range.count;
      traffic.edges.push_back(
          {static_cast<std::uint32_t>(traffic.links.size()), static_cast<std::uint32_t>(links.size()), share, 0});
      traffic.links.insert(traffic.links.end(), links.begin(), links.end());
    });
    return range;
  }

  const Machine& machine_;
  const std::vector<Job>& jobs_;
  const std::vector<Round>& rounds_;
  CallGraph made_;
  std::vector<std::uint8_t> first_slot_;     // by job
  std::vector<Index> rank_of_;               // by GPU
  std::vector<std::vector<bool>> member_;    // by rank: of which jobs
  std::vector<std::uint8_t> slot_of_shape_;  // by shape
  std::size_t slots_ = 0;
  bool barriers_ = false;
  Index barrier_ = none;
};

}  // namespace

CallGraph make_call_graph(const Machine& machine, const std::vector<Job>& jobs, const std::vector<Round>& rounds) {
  return Builder(machine, jobs, rounds).build();
}

std::vector<CallSpan> call_spans(const CallGraph& calls, const engine::Timeline& timeline) {
  std::vector<CallSpan> spans(calls.graph.calls.size(), {std::numeric_limits<double>::infinity(), 0});
  for (const std::vector<engine::CallInstance>& instances : timeline.instances) {
    for (const engine::CallInstance& instance : instances) {
      CallSpan& span = spans[instance.call];
      span.start_s = std::min(span.start_s, instance.joined);
      span.end_s = std::max(span.end_s, instance.finish);
    }
  }
  return spans;
}

}  // namespace gridlock::bench

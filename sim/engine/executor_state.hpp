// The executor's state and its parts, for the files executor*.cpp alone.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "sim/engine/contraction.hpp"
#include "sim/engine/executor.hpp"

namespace gridlock::engine {

// A block as a small graph of segments; the segments themselves stand in Timeline::segments.
struct CompiledBlock {
  std::array<std::vector<std::int16_t>, 2> stream_segments;
  std::vector<std::vector<std::int16_t>> successors;
  bool has_calls = false;
};

// What a rank class runs on its compute stream at the moment: a block piece by piece, or a run of blocks.
struct Frame {
  Index task = none;                   // the block, or the first one of the run
  std::vector<std::uint16_t> waiting;  // by segment: unfinished segments it waits for
  std::array<std::uint32_t, 2> head{};
  std::array<bool, 2> busy{};
  std::uint32_t left = 0;
  Index log = none;                  // first entry in segment_times
  std::vector<SegmentTime> scratch;  // instead, in steps that are not reported
  std::vector<double> block_ends;    // of a joint run that was worked out
};

struct RankState {
  std::vector<std::uint16_t> waiting;  // by task: unfinished dependencies
  std::vector<Index> head;             // by stream: next task
  std::vector<bool> busy;              // by stream
  std::vector<Index> calls_made;       // by communicator slot: next instance
  Frame frame;
  std::uint64_t left = 0;
};

struct CommunicatorState {
  std::uint32_t arrived = 0, flows_left = 0;
  std::vector<std::pair<Index, Index>> at;  // rank class, task (or segment's task) of those that arrived
  double flow_start = 0;
  bool log_flows = false;
};

struct MessageState {
  Index arrivals = 0, received = 0;
  double flow_start = 0;
  Index sending = none;  // the sender's task
};

// Activities, by what their end means.
enum class Kind : std::uint8_t {
  run,
  segment,
  joint,
  joint_member,
  call_latency,
  call_flow,
  call_fixed,
  message_latency,
  message_flow
};

struct Pending {
  Kind kind = Kind::run;
  Index subject = 0;  // rank class, communicator class or message class
  Index detail = 0;   // last task of a run, segment, flow
};

class Executor {
 public:
  Executor(const Problem& problem, Backend& backend, const ExecutorOptions& options);
  Timeline run();

 private:
  const parallel::Program& program(Index r) const { return graph_.programs[problem_.ranks[r].program]; }
  const parallel::Task& task(Index r, Index t) const { return program(r).tasks[t]; }
  const ProgramIndex& index(Index r) const { return timeline_.programs[problem_.ranks[r].program]; }
  bool reported(Index r, Index t) const { return task(r, t).step + 1 == graph_.steps; }
  Index communicator_of(Index r, std::uint8_t slot) const {
    return graph_.communicator_slots == 0
               ? none
               : problem_.rank_communicator[static_cast<std::size_t>(r) * graph_.communicator_slots + slot];
  }
  const BlockTiming& timing(Index r, Index block) const { return timeline_.block_timings[timeline_.timing_class[r]][block]; }

  // executor.cpp: set-up, the ready queue, activities, tasks
  void compile_blocks();
  void compile_ranks();
  Token token(Kind kind, Index subject, Index detail);
  void compute(Kind kind, Index r, Index detail, double seconds);
  void delay(Kind kind, Index subject, double seconds);
  void flow(Kind kind, Index subject, Index flow_class, double bytes, double cap);
  void finish_activity(Token t);
  void drain();
  void advance(Index r, std::uint8_t s);
  void complete(Index r, Index t, double finish);
  void complete_and_free(Index r, Index t);
  std::vector<std::string> blocked_ranks() const;
  void hash_timeline();

  // executor_blocks.cpp: blocks one by one, in runs, piece by piece
  void start_block(Index r, Index t);
  void finish_run(Index r, Index last);
  void start_joint(Index c);
  bool in_step(const CommunicatorState& state) const;
  void work_out_joint(Index c);
  void finish_joint(Index c);
  void finish_joint_member(Index r);
  void restore_run(Index r, Index first, Index last, double joined);
  void open_frame(Index r, Index t);
  SegmentTime& segment_time(Index r, std::int16_t s);
  const Segment& segment(Index r, std::int16_t s) const;
  void advance_frame(Index r);
  void start_segment(Index r, std::int16_t s);
  void finish_segment(Index r, std::int16_t s);
  std::int16_t current_call_segment(Index r) const;

  // executor_calls.cpp: collectives and messages
  void arrive(Index r, Index t, std::int16_t segment, std::uint8_t slot, Index call);
  void start_call(Index c, Index call);
  void start_call_flows(Index c);
  void log_flow(Index c, Index f, double bytes, double start, double finish);
  void finish_call_flow(Index c, Index f);
  void finish_fixed_call(Index c);
  void release_members(Index c);
  void start_send(Index r, Index t);
  void start_message_flow(Index m);
  void finish_message(Index m);
  void try_receive(Index m);

  const Problem& problem_;
  const parallel::StepGraph& graph_;
  Backend& backend_;
  ExecutorOptions options_;
  Timeline timeline_;
  std::vector<CompiledBlock> blocks_;
  std::vector<char> lockstep_;  // by communicator class
  std::vector<RankState> ranks_;
  std::vector<CommunicatorState> communicators_;
  std::vector<MessageState> messages_;
  std::vector<Pending> pending_;
  std::vector<Token> free_, immediate_;
  std::vector<std::pair<Index, std::uint8_t>> ready_;
};

}  // namespace gridlock::engine

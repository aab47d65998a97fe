// What every rank does in the simulated steps: the one input of folding, of the full (unfolded) engine and of nothing else.
//
// A program is a list of tasks; ranks of the same pipeline stage share one. Tasks of one stream run in program order; `after`
// adds dependencies on other tasks of the same program. A communicator's calls run one after the other, in the order of its
// members' programs. Messages of one slot of a rank are first-in first-out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collectives/collective.hpp"
#include "collectives/pattern.hpp"
#include "collectives/tuning.hpp"
#include "sim/model/block.hpp"
#include "topology/fabric.hpp"

namespace gridlock::parallel {

using RankId = std::uint32_t;
using Index = std::uint32_t;
constexpr Index none = ~Index{0};

// What waiting on an operation counts as in the breakdown.
enum class Dimension : std::uint8_t { tensor, pipeline, data, context, expert };

enum class TaskKind : std::uint8_t {
  block,       // a block of kernels (and tensor-parallel calls) on the compute stream
  collective,  // one call on the communicator of slot `slot`
  send,        // one message out of message slot `slot`; ends when the last byte has arrived
  receive,     // ends when the next message of the peer's slot has arrived
};

struct Task {
  TaskKind kind = TaskKind::block;
  std::uint8_t stream = 0;  // 0 is the compute stream
  std::uint8_t slot = 0;    // communicator slot, or message slot
  std::uint8_t step = 0;    // which simulated step it belongs to
  std::int16_t micro_batch = -1, chunk = -1, layer = -1;
  Index what = none;  // block: into StepGraph::blocks; collective: into StepGraph::calls; send/receive: into StepGraph::transfers
  Index first_dependency = 0;  // Program::dependencies[first_dependency, +dependency_count)
  std::uint16_t dependency_count = 0;
};

struct Program {
  std::string name;  // "stage 3"
  int stage = 0;
  std::uint8_t streams = 1;
  std::vector<Task> tasks;
  std::vector<Index> dependencies;  // indices of earlier tasks of the same program
};

// A kind of call: the same for all communicators of its slot.
struct Call {
  std::string label;  // "dp.reduce_scatter"
  collectives::Kind kind = collectives::Kind::all_reduce;
  double bytes = 0;
};

struct Transfer {
  std::string label;  // "pp.forward"
  double bytes = 0;
};

// A group of ranks. The tensor-parallel communicator (slot 0) also runs the calls inside blocks.
struct Communicator {
  Dimension dimension = Dimension::data;
  std::uint8_t slot = 0;
  std::vector<RankId> members;
};

// Message slot `slot` of rank `from` goes to `to`, who receives it in its slot `to_slot`.
struct Message {
  RankId from = 0, to = 0;
  std::uint8_t slot = 0, to_slot = 0;
};

struct StepGraph {
  std::vector<model::Block> blocks;
  std::vector<std::vector<Index>> block_calls;  // by block and op: the call of a collective op, none of a kernel
  std::vector<Call> calls;
  std::vector<Transfer> transfers;
  std::vector<Program> programs;

  std::vector<Index> rank_program;        // by rank
  std::vector<topology::GpuId> rank_gpu;  // by rank: physical GPU
  std::vector<double> rank_speed;         // by rank: 1, or a slow GPU's factor
  std::uint8_t communicator_slots = 0;
  std::uint8_t message_slots = 0;
  std::vector<Communicator> communicators;
  std::vector<Index> rank_communicator;  // rank * communicator_slots + slot, none where the rank has none
  std::vector<Message> messages;
  std::vector<Index> rank_message_out;  // rank * message_slots + slot
  std::vector<Index> rank_message_in;   // rank * message_slots + slot: the message whose arrivals it receives there
  int steps = 1;
};

}  // namespace gridlock::parallel

// The program of one pipeline stage: its passes in schedule order, the messages between stages, the data-parallel calls and the
// optimiser, for every simulated step.
//
// One step of a stage:
//   parameter all-gathers (ZeRO-1)   on the data stream, from the start of the step; a layer's first forward waits for its bucket
//   passes in schedule order         on the compute stream; each waits for its message, each sends its result
//   gradient reduce-scatters         on the data stream, from the backward pass of the last micro-batch on, bucket by bucket
//   tied-embedding all-reduce, gradient-norm all-reduce, optimiser    on the compute stream
#pragma once

#include <vector>

#include "sim/parallel/schedule.hpp"
#include "sim/parallel/step_graph.hpp"

namespace gridlock::parallel {

namespace stream {
constexpr std::uint8_t compute = 0, data = 1, send_forward = 2, send_backward = 3, receive_forward = 4, receive_backward = 5,
                       count = 6;
}
namespace comm_slot {
constexpr std::uint8_t tensor = 0, data = 1, embedding = 2, gradient_norm = 3, count = 4;
}
namespace message_slot {
constexpr std::uint8_t forward = 0, backward = 1, count = 2;  // to the next stage; to the previous one
}

// Everything a stage's program is made of, as indices into the step graph. `none` = this stage does not do it.
struct StageParts {
  int stages = 1, stage = 0, chunks = 1, micro_batches = 1, steps = 1;
  scenario::Schedule schedule = scenario::Schedule::one_f_one_b;
  bool overlap_p2p = false;
  std::vector<int> chunk_layers;  // layers of each chunk of this stage

  Index layer_forward = none, layer_backward = none;
  Index embedding_forward = none, embedding_backward = none;  // used on the first chunk of stage 0
  Index head_forward = none, head_backward = none;            // used on the last chunk of the last stage
  Index gather_input = none;                                  // block that re-assembles a scattered message over NVLink
  Index gradient_norm = none, optimizer = none;
  Index forward_transfer = none, backward_transfer = none;

  // Data parallelism; parameters are per GPU. bucket_parameters 0 = no data parallelism.
  double layer_parameters = 0, embedding_parameters = 0, head_parameters = 0, bucket_parameters = 0;
  double gradient_bytes = 4, parameter_bytes = 2;
  collectives::Kind gradient_kind = collectives::Kind::all_reduce;
  bool gather_parameters = false, overlap_gradients = true, overlap_parameters = true;

  Index embedding_call = none, gradient_norm_call = none;
};

// Appends the calls it needs to `graph.calls` (equal calls are shared).
Program make_program(StepGraph& graph, const StageParts& parts);

// The index of an equal call, added when there is none.
Index intern_call(StepGraph& graph, const Call& call);

}  // namespace gridlock::parallel

#include "sim/parallel/program.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/parallel/buckets.hpp"

namespace gridlock::parallel {
namespace {

using collectives::Kind;

// Forward or backward input of a pass: (forward, micro-batch, chunk) -> the receive task that brings it.
using Inputs = std::map<std::tuple<bool, int, int>, Index>;

class Builder {
 public:
  Builder(StepGraph& graph, const StageParts& parts) : graph_(graph), parts_(parts) {
    program_.name = "stage " + std::to_string(parts.stage);
    program_.stage = parts.stage;
    program_.streams = stream::count;
    passes_ = passes_of(parts.stage);
    if (parts_.bucket_parameters > 0) cut_all_buckets();
  }

  Program build() {
    for (int step = 0; step < parts_.steps; ++step) add_step(static_cast<std::uint8_t>(step));
    return std::move(program_);
  }

 private:
  bool first_chunk(int chunk) const { return parts_.stage == 0 && chunk == 0; }
  bool last_chunk(int chunk) const { return parts_.stage == parts_.stages - 1 && chunk == parts_.chunks - 1; }
  std::vector<Pass> passes_of(int stage) const {
    return schedule_passes(parts_.schedule, parts_.stages, stage, parts_.micro_batches, parts_.chunks);
  }

  // Parts of a chunk in forward order: [embedding] layers [head].
  std::vector<double> chunk_parts(int chunk) const {
    std::vector<double> parts;
    if (first_chunk(chunk)) parts.push_back(parts_.embedding_parameters);
    parts.insert(parts.end(), static_cast<std::size_t>(parts_.chunk_layers[static_cast<std::size_t>(chunk)]),
                 parts_.layer_parameters);
    if (last_chunk(chunk)) parts.push_back(parts_.head_parameters);
    return parts;
  }

  void cut_all_buckets() {
    for (int chunk = 0; chunk < parts_.chunks; ++chunk) {
      std::vector<double> parts = chunk_parts(chunk);
      gather_buckets_.push_back(cut_buckets(parts, parts_.bucket_parameters));
      needed_buckets_.push_back(buckets_needed(parts, gather_buckets_.back()));
      std::reverse(parts.begin(), parts.end());
      reduce_buckets_.push_back(cut_buckets(parts, parts_.bucket_parameters));
    }
  }

  Index add(Task task, const std::vector<Index>& after) {
    task.step = step_;
    task.first_dependency = static_cast<Index>(program_.dependencies.size());
    for (Index dependency : after)
      if (dependency != none) program_.dependencies.push_back(dependency);
    task.dependency_count = static_cast<std::uint16_t>(program_.dependencies.size() - task.first_dependency);
    program_.tasks.push_back(task);
    return static_cast<Index>(program_.tasks.size() - 1);
  }

  Index add_block(Index block, const Pass& pass, int layer, std::vector<Index> after) {
    after.insert(after.end(), compute_waits_.begin(), compute_waits_.end());
    compute_waits_.clear();
    last_compute_ = add({.kind = TaskKind::block,
                         .micro_batch = static_cast<std::int16_t>(pass.micro_batch),
                         .chunk = static_cast<std::int16_t>(pass.chunk),
                         .layer = static_cast<std::int16_t>(layer),
                         .what = block},
                        after);
    return last_compute_;
  }

  Index add_call(std::uint8_t on_stream, std::uint8_t slot, Index call, int chunk, const std::vector<Index>& after) {
    const Index task = add({.kind = TaskKind::collective,
                            .stream = on_stream,
                            .slot = slot,
                            .chunk = static_cast<std::int16_t>(chunk),
                            .what = call},
                           after);
    if (on_stream == stream::compute) last_compute_ = task;
    return task;
  }

  void add_step(std::uint8_t step) {
    step_ = step;
    gathered_.clear();
    reduced_.clear();
    if (parts_.gather_parameters && parts_.bucket_parameters > 0) add_parameter_gathers();
    const Inputs inputs = add_receives();
    for (const Pass& pass : passes_) add_pass(pass, inputs);
    if (parts_.bucket_parameters > 0 && !parts_.overlap_gradients) {
      const Index done = last_compute_;
      for (int chunk = parts_.chunks - 1; chunk >= 0; --chunk) add_gradient_calls(chunk, -1, done);
    }
    compute_waits_.insert(compute_waits_.end(), reduced_.begin(), reduced_.end());
    const auto tail_call = [&](std::uint8_t slot, Index call) {
      if (call == none) return;
      add_call(stream::compute, slot, call, -1, compute_waits_);
      compute_waits_.clear();
    };
    tail_call(comm_slot::embedding, parts_.embedding_call);
    add_block(parts_.gradient_norm, {false, -1, -1}, -1, {});
    tail_call(comm_slot::gradient_norm, parts_.gradient_norm_call);
    add_block(parts_.optimizer, {false, -1, -1}, -1, {});
  }

  // One all-gather a bucket, chunks in the order in which the forward passes meet them. They follow the previous optimiser.
  void add_parameter_gathers() {
    gathered_.resize(static_cast<std::size_t>(parts_.chunks));
    for (int chunk = 0; chunk < parts_.chunks; ++chunk)
      for (const Bucket& bucket : gather_buckets_[static_cast<std::size_t>(chunk)]) {
        const Index call = intern_call(graph_, {"dp.all_gather", Kind::all_gather, bucket.parameters * parts_.parameter_bytes});
        gathered_[static_cast<std::size_t>(chunk)].push_back(
            add_call(stream::data, comm_slot::data, call, chunk, {last_compute_}));
        if (!parts_.overlap_parameters) compute_waits_.push_back(gathered_[static_cast<std::size_t>(chunk)].back());
      }
  }

  // Receives are posted ahead, in the order in which the neighbours send.
  Inputs add_receives() {
    Inputs inputs;
    if (parts_.stages == 1) return inputs;
    const int previous = (parts_.stage + parts_.stages - 1) % parts_.stages;
    const int next = (parts_.stage + 1) % parts_.stages;
    for (const Pass& pass : passes_of(previous)) {
      const int chunk = previous == parts_.stages - 1 ? pass.chunk + 1 : pass.chunk;
      if (!pass.forward || chunk == parts_.chunks) continue;
      inputs[{true, pass.micro_batch, chunk}] =
          add_receive(stream::receive_forward, message_slot::forward, parts_.forward_transfer, pass.micro_batch, chunk);
    }
    for (const Pass& pass : passes_of(next)) {
      const int chunk = next == 0 ? pass.chunk - 1 : pass.chunk;
      if (pass.forward || chunk < 0) continue;
      inputs[{false, pass.micro_batch, chunk}] =
          add_receive(stream::receive_backward, message_slot::backward, parts_.backward_transfer, pass.micro_batch, chunk);
    }
    return inputs;
  }

  Index add_receive(std::uint8_t on_stream, std::uint8_t slot, Index transfer, int micro_batch, int chunk) {
    return add({.kind = TaskKind::receive,
                .stream = on_stream,
                .slot = slot,
                .micro_batch = static_cast<std::int16_t>(micro_batch),
                .chunk = static_cast<std::int16_t>(chunk),
                .what = transfer},
               {});
  }

  void add_pass(const Pass& pass, const Inputs& inputs) {
    const auto found = inputs.find({pass.forward, pass.micro_batch, pass.chunk});
    const Index input = found == inputs.end() ? none : found->second;
    Index last = input;
    const auto run = [&](Index block, int layer, Index extra = none) {
      last = add_block(block, pass, layer, {last == input ? input : none, extra});
    };
    if (input != none && parts_.gather_input != none) run(parts_.gather_input, -1);
    pass.forward ? add_forward(pass, run) : add_backward(pass, run);

    const bool sends = parts_.stages > 1 && (pass.forward ? !last_chunk(pass.chunk) : !first_chunk(pass.chunk));
    if (!sends) return;
    const Index send = add({.kind = TaskKind::send,
                            .stream = pass.forward ? stream::send_forward : stream::send_backward,
                            .slot = pass.forward ? message_slot::forward : message_slot::backward,
                            .micro_batch = static_cast<std::int16_t>(pass.micro_batch),
                            .chunk = static_cast<std::int16_t>(pass.chunk),
                            .what = pass.forward ? parts_.forward_transfer : parts_.backward_transfer},
                           {last});
    if (!parts_.overlap_p2p) compute_waits_.push_back(send);
  }

  // Runs the parts of a forward chunk; the first micro-batch waits for the bucket that completes each part's parameters.
  void add_forward(const Pass& pass, auto run) {
    const auto chunk = static_cast<std::size_t>(pass.chunk);
    const bool waits = pass.micro_batch == 0 && !gathered_.empty() && parts_.overlap_parameters;
    std::size_t part = 0;
    const auto parameters = [&]() -> Index { return waits ? gathered_[chunk][needed_buckets_[chunk][part++]] : none; };
    if (first_chunk(pass.chunk)) run(parts_.embedding_forward, -1, parameters());
    for (int layer = 0; layer < parts_.chunk_layers[chunk]; ++layer) run(parts_.layer_forward, layer, parameters());
    if (last_chunk(pass.chunk)) run(parts_.head_forward, -1, parameters());
  }

  void add_backward(const Pass& pass, auto run) {
    const auto chunk = static_cast<std::size_t>(pass.chunk);
    const bool reduces = parts_.bucket_parameters > 0 && parts_.overlap_gradients && pass.micro_batch == parts_.micro_batches - 1;
    int part = 0;
    const auto part_done = [&] {
      if (reduces) add_gradient_calls(pass.chunk, part, last_compute_);
      ++part;
    };
    if (last_chunk(pass.chunk)) run(parts_.head_backward, -1), part_done();
    for (int layer = parts_.chunk_layers[chunk] - 1; layer >= 0; --layer) run(parts_.layer_backward, layer), part_done();
    if (first_chunk(pass.chunk)) run(parts_.embedding_backward, -1), part_done();
  }

  // The buckets of a chunk that part `part` completes; all of them for part -1.
  void add_gradient_calls(int chunk, int part, Index after) {
    for (const Bucket& bucket : reduce_buckets_[static_cast<std::size_t>(chunk)]) {
      if (part >= 0 && bucket.last_part != part) continue;
      const char* label = parts_.gradient_kind == Kind::all_reduce ? "dp.all_reduce" : "dp.reduce_scatter";
      const Index call = intern_call(graph_, {label, parts_.gradient_kind, bucket.parameters * parts_.gradient_bytes});
      reduced_.assign(
          1, add_call(stream::data, comm_slot::data, call, chunk, {after}));  // the stream is serial: the last one is enough
    }
  }

  StepGraph& graph_;
  const StageParts& parts_;
  Program program_;
  std::vector<Pass> passes_;
  std::vector<std::vector<Bucket>> gather_buckets_, reduce_buckets_;  // by chunk, in forward and in backward order
  std::vector<std::vector<std::size_t>> needed_buckets_;              // by chunk and part: the bucket that completes the part
  std::vector<std::vector<Index>> gathered_;                          // this step's all-gathers, by chunk and bucket
  std::vector<Index> reduced_;                                        // this step's last gradient call
  std::vector<Index> compute_waits_;  // what the next compute task must wait for besides its own dependencies
  Index last_compute_ = none;
  std::uint8_t step_ = 0;
};

}  // namespace

Index intern_call(StepGraph& graph, const Call& call) {
  for (std::size_t i = 0; i < graph.calls.size(); ++i) {
    const Call& other = graph.calls[i];
    if (other.label == call.label && other.kind == call.kind && other.bytes == call.bytes) return static_cast<Index>(i);
  }
  graph.calls.push_back(call);
  return static_cast<Index>(graph.calls.size() - 1);
}

Program make_program(StepGraph& graph, const StageParts& parts) { return Builder(graph, parts).build(); }

}  // namespace gridlock::parallel

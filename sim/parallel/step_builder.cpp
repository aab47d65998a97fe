#include "sim/parallel/step_builder.hpp"

#include <algorithm>

#include "sim/model/embedding.hpp"
#include "sim/model/head.hpp"
#include "sim/model/layer.hpp"
#include "sim/model/optimizer.hpp"
#include "sim/parallel/block_input.hpp"
#include "sim/parallel/program.hpp"
#include "topology/placement.hpp"

namespace gridlock::parallel {
namespace {

using collectives::Kind;
using scenario::Scenario;

class StepBuilder {
 public:
  explicit StepBuilder(const Scenario& scenario)
      : s_(scenario), p_(scenario.parallelism), layout_(scenario.parallelism), input_(block_input(scenario)) {}

  StepGraph build() {
    graph_.steps = s_.steps;
    graph_.communicator_slots = comm_slot::count;
    graph_.message_slots = p_.pipeline > 1 ? message_slot::count : 0;
    add_programs();
    add_ranks();
    add_communicators();
    if (p_.pipeline > 1) add_messages();
    return std::move(graph_);
  }

 private:
  bool shards_optimizer() const { return s_.optimizer.zero == 1 && p_.data > 1; }

  // ---- blocks and programs ----------------------------------------------------------------------------------------------

  // Collective ops become calls of the step graph; with one tensor rank there are none.
  Index add_block(model::Block block) {
    std::vector<Index> calls;
    for (const model::BlockOp& op : block.ops)
      calls.push_back(op.is_collective ? intern_call(graph_, {op.label, op.kind, op.message_bytes}) : none);
    graph_.blocks.push_back(std::move(block));
    graph_.block_calls.push_back(std::move(calls));
    return static_cast<Index>(graph_.blocks.size() - 1);
  }

  // The receiver of a message that was scattered over the tensor ranks gathers it over NVLink.
  model::Block gather_block(double bytes) const {
    model::BlockOp gather;
    gather.label = "pp.all_gather";
    gather.stream = model::Stream::tensor;
    gather.is_collective = true;
    gather.kind = Kind::all_gather;
    gather.message_bytes = bytes;
    return {"stage input gather", {gather}};
  }

  void add_programs() {
    StageParts shared;
    shared.stages = p_.pipeline;
    shared.chunks = p_.virtual_stages;
    shared.micro_batches = static_cast<int>(s_.micro_batches());
    shared.steps = s_.steps;
    shared.schedule = p_.schedule;
    shared.overlap_p2p = p_.overlap_p2p;
    shared.layer_forward = add_block(model::layer_forward(input_));
    shared.layer_backward = add_block(model::layer_backward(input_));

    const double boundary_bytes = 2.0 * static_cast<double>(input_.rows()) * static_cast<double>(s_.model.hidden);
    const bool scattered = p_.tensor > 1 && (p_.sequence_parallel || p_.scatter_gather);
    if (p_.pipeline > 1) {
      const double bytes = scattered ? boundary_bytes / p_.tensor : boundary_bytes;
      graph_.transfers = {{"pp.forward", bytes}, {"pp.backward", bytes}};
      shared.forward_transfer = 0;
      shared.backward_transfer = 1;
      if (scattered && !p_.sequence_parallel) shared.gather_input = add_block(gather_block(boundary_bytes));
    }

    const double t = p_.tensor;
    shared.layer_parameters = model::layer_parameters(s_.model) / t;
    if (p_.data > 1) {
      shared.bucket_parameters = s_.optimizer.bucket_parameters;
      shared.gradient_bytes = s_.optimizer.gradients == scenario::GradientType::fp32 ? 4 : 2;
      shared.gradient_kind = shards_optimizer() ? Kind::reduce_scatter : Kind::all_reduce;
      shared.gather_parameters = shards_optimizer();
      shared.overlap_gradients = s_.optimizer.overlap_gradients;
      shared.overlap_parameters = s_.optimizer.overlap_parameters;
    }
    const Index embedding_forward = add_block(model::embedding_forward(input_)),
                embedding_backward = add_block(model::embedding_backward(input_));
    const Index head_forward = add_block(model::head_forward(input_)), head_backward = add_block(model::head_backward(input_));
    const double embedding = model::embedding_parameters(s_.model, s_.batch.sequence) / t;
    const double tied_copy =
        s_.model.tied_embeddings && p_.pipeline > 1 ? static_cast<double>(s_.model.vocab * s_.model.hidden) / t : 0;
    const double head = model::head_parameters(s_.model) / t + tied_copy;
    // The norm of all gradients is summed over every rank that holds a part: all of them when the optimiser is sharded.
    const bool model_parallel = p_.tensor * p_.pipeline > 1 || shards_optimizer();
    const Index norm_call = model_parallel ? intern_call(graph_, {"gradient norm", Kind::all_reduce, 4}) : none;

    for (int stage = 0; stage < p_.pipeline; ++stage) {
      StageParts parts = shared;
      parts.stage = stage;
      for (int chunk = 0; chunk < p_.virtual_stages; ++chunk)
        parts.chunk_layers.push_back(p_.layers_per_stage[static_cast<std::size_t>(chunk * p_.pipeline + stage)]);
      double parameters = shared.layer_parameters * static_cast<double>(layers_of(parts));
      if (stage == 0) {
        parts.embedding_forward = embedding_forward, parts.embedding_backward = embedding_backward;
        parameters += parts.embedding_parameters = embedding;
      }
      if (stage == p_.pipeline - 1) {
        parts.head_forward = head_forward, parts.head_backward = head_backward;
        parameters += parts.head_parameters = head;
      }
      if (has_embedding_group() && (stage == 0 || stage == p_.pipeline - 1))
        parts.embedding_call = intern_call(graph_, {"embedding gradient", Kind::all_reduce, tied_copy * shared.gradient_bytes});
      const double updated = shards_optimizer() ? parameters / p_.data : parameters;
      parts.gradient_norm = add_block(model::gradient_norm(input_, updated));
      parts.gradient_norm_call = norm_call;
      parts.optimizer = add_block(model::optimizer_step(input_, updated, parameters));
      graph_.programs.push_back(make_program(graph_, parts));
    }
  }

  static int layers_of(const StageParts& parts) {
    int layers = 0;
    for (int n : parts.chunk_layers) layers += n;
    return layers;
  }

  bool has_embedding_group() const { return s_.model.tied_embeddings && p_.pipeline > 1; }

  // ---- ranks, communicators, messages -----------------------------------------------------------------------------------

  void add_ranks() {
    graph_.rank_gpu = topology::place(s_.cluster, layout_.ranks(), s_.seed);
    for (RankId rank = 0; rank < layout_.ranks(); ++rank) {
      graph_.rank_program.push_back(static_cast<Index>(layout_.position_of(rank).pipeline));
      const auto slow = std::find_if(s_.faults.slow.begin(), s_.faults.slow.end(),
                                     [&](const scenario::SlowGpu& g) { return g.gpu == graph_.rank_gpu[rank]; });
      graph_.rank_speed.push_back(slow == s_.faults.slow.end() ? 1.0 : slow->factor);
    }
    graph_.rank_communicator.assign(static_cast<std::size_t>(layout_.ranks()) * comm_slot::count, none);
  }

  void add_communicator(Dimension dimension, std::uint8_t slot, std::vector<RankId> members) {
    if (members.size() < 2) return;
    std::sort(members.begin(), members.end());
    for (RankId rank : members)
      graph_.rank_communicator[rank * std::size_t{comm_slot::count} + slot] = static_cast<Index>(graph_.communicators.size());
    graph_.communicators.push_back({dimension, slot, std::move(members)});
  }

  void add_communicators() {
    const auto ranks = [&](int count, auto position) {
      std::vector<RankId> members;
      for (int i = 0; i < count; ++i) members.push_back(layout_.rank_of(position(i)));
      return members;
    };
    for (int d = 0; d < p_.data; ++d)
      for (int s = 0; s < p_.pipeline; ++s)
        add_communicator(Dimension::tensor, comm_slot::tensor, ranks(p_.tensor, [&](int i) { return Position{i, d, s}; }));
    for (int s = 0; s < p_.pipeline; ++s)
      for (int t = 0; t < p_.tensor; ++t)
        add_communicator(Dimension::data, comm_slot::data, ranks(p_.data, [&](int i) { return Position{t, i, s}; }));
    if (has_embedding_group())
      for (int d = 0; d < p_.data; ++d)
        for (int t = 0; t < p_.tensor; ++t)
          add_communicator(Dimension::pipeline, comm_slot::embedding,
                           {layout_.rank_of({t, d, 0}), layout_.rank_of({t, d, p_.pipeline - 1})});
    if (shards_optimizer()) {
      std::vector<RankId> all(layout_.ranks());
      for (RankId rank = 0; rank < layout_.ranks(); ++rank) all[rank] = rank;
      add_communicator(Dimension::data, comm_slot::gradient_norm, std::move(all));
    } else {
      for (int d = 0; d < p_.data; ++d)
        add_communicator(Dimension::tensor, comm_slot::gradient_norm, ranks(p_.tensor * p_.pipeline, [&](int i) {
                           return Position{i % p_.tensor, d, i / p_.tensor};
                         }));
    }
  }

  void add_messages() {
    const std::size_t slots = message_slot::count;
    graph_.rank_message_out.assign(layout_.ranks() * slots, none);
    graph_.rank_message_in.assign(layout_.ranks() * slots, none);
    for (RankId rank = 0; rank < layout_.ranks(); ++rank) {
      const Position here = layout_.position_of(rank);
      const bool wraps = p_.virtual_stages > 1;
      if (here.pipeline + 1 < p_.pipeline || wraps)
        add_message(rank, layout_.rank_of({here.tensor, here.data, (here.pipeline + 1) % p_.pipeline}), message_slot::forward);
      if (here.pipeline > 0 || wraps)
        add_message(rank, layout_.rank_of({here.tensor, here.data, (here.pipeline + p_.pipeline - 1) % p_.pipeline}),
                    message_slot::backward);
    }
  }

  void add_message(RankId from, RankId to, std::uint8_t slot) {
    const auto m = static_cast<Index>(graph_.messages.size());
    graph_.messages.push_back({from, to, slot, slot});
    graph_.rank_message_out[from * std::size_t{message_slot::count} + slot] = m;
    graph_.rank_message_in[to * std::size_t{message_slot::count} + slot] = m;
  }

  const Scenario& s_;
  const scenario::Parallelism& p_;
  Layout layout_;
  model::BlockInput input_;
  StepGraph graph_;
};

}  // namespace

StepGraph build_step_graph(const Scenario& scenario) { return StepBuilder(scenario).build(); }

}  // namespace gridlock::parallel

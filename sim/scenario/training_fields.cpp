// Keys of a training step: the top level, `parallelism:`, `batch:`, `optimizer:`, `faults:`, `expect:`, `measured:`.
#include <fmt/format.h>

#include <algorithm>

#include "sim/scenario/declarations.hpp"
#include "sim/scenario/sweep_block.hpp"

namespace gridlock::scenario {
namespace {

constexpr std::pair<std::string_view, Axis> axis_names[] = {
    {"tp", Axis::tensor}, {"cp", Axis::context}, {"ep", Axis::expert}, {"dp", Axis::data}, {"pp", Axis::pipeline}};

// "tp-cp-ep-dp-pp"; axes that a scenario does not use may be left out and come last. Empty: not an order.
std::vector<Axis> parse_order(std::string_view text) {
  std::vector<Axis> order;
  while (true) {
    const std::string_view word = text.substr(0, text.find('-'));
    const auto found = std::find_if(std::begin(axis_names), std::end(axis_names), [&](const auto& a) { return a.first == word; });
    if (found == std::end(axis_names) || std::find(order.begin(), order.end(), found->second) != order.end()) return {};
    order.push_back(found->second);
    if (word.size() == text.size()) break;
    text.remove_prefix(word.size() + 1);
  }
  const auto has = [&](Axis a) { return std::find(order.begin(), order.end(), a) != order.end(); };
  if (!has(Axis::tensor) || !has(Axis::data) || !has(Axis::pipeline)) return {};
  for (const auto& [word, axis] : axis_names) {
    if (!has(axis)) order.push_back(axis);
  }
  return order;
}

Custom order_type(std::vector<Axis>& order) {
  Custom type;
  type.type = "axis names joined by '-'";
  type.schema = {{"type", "string"}, {"pattern", "^(tp|cp|ep|dp|pp)(-(tp|cp|ep|dp|pp)){2,4}$"}};
  type.read = [&order](const Node& node, ReadErrors& errors) {
    std::vector<Axis> read = node.is_scalar() ? parse_order(node.text) : std::vector<Axis>{};
    if (read.empty()) {
      errors.error(node, fmt::format("{} is no order of ranks", shown(node)),
                   "write tp, dp and pp (cp, ep) once each, fastest first, such as tp-dp-pp");
    } else {
      order = std::move(read);
    }
  };
  type.write = [&order]() -> nlohmann::ordered_json {
    std::string text;
    for (const Axis axis : order) {
      const auto found =
          std::find_if(std::begin(axis_names), std::end(axis_names), [&](const auto& a) { return a.second == axis; });
      if (!text.empty()) text += '-';
      text += found->first;
    }
    return text;
  };
  return type;
}

// Only the shape is read here: whether the numbers add up needs the model (checks.cpp).
Custom layers_type(std::vector<int>& layers) {
  Custom type;
  type.type = "even, or a list of whole numbers";
  type.schema = {{"anyOf", {{{"const", "even"}}, {{"type", "array"}, {"items", {{"type", "integer"}, {"minimum", 1}}}}}}};
  type.read = [&layers](const Node& node, ReadErrors& errors) {
    if (node.is_scalar() && node.text == "even") return;
    if (!node.is_sequence()) {
      errors.error(node, fmt::format("{} is no list of layers", shown(node)),
                   "write even, or a list with one number a stage such as [7, 8, 8, 7]");
      return;
    }
    if (node.items.empty()) errors.error(node, "the list of layers is empty", "write even, or one number a stage");
    for (const Node& item : node.items) {
      if (const auto n = errors.integer_of(item, {1, 100000})) layers.push_back(static_cast<int>(*n));
    }
  };
  type.write = [&layers]() -> nlohmann::ordered_json { return layers; };
  return type;
}

void describe_batch(Fields& f, Batch& b) {
  f.integer({"global", "sequences in one step, over all ranks"}, b.global, required, {1, 1e9});
  f.integer({"micro", "sequences in one micro-batch of one data-parallel rank"}, b.micro, 1, {1, 1e6});
  f.integer({"sequence", "tokens of one sequence"}, b.sequence, required, {1, 1e8});
}

void describe_optimizer(Fields& f, Optimizer& o) {
  const Optimizer usual;
  int kind = 0;
  f.choice<int>({"kind", "the optimiser"}, kind, 0, {{"adam", 0}});
  f.integer({"zero", "0: every data-parallel rank updates all parameters; 1: each its share (Megatron's distributed optimizer)"},
            o.zero, usual.zero, {0, 1});
  f.quantity({"bucket", "parameters of one gradient bucket", "max(40M, 1M x data), as Megatron-LM"}, o.bucket_parameters,
             Unit::count, usual.bucket_parameters, {1e4, 1e15});
  f.choice<GradientType>({"gradients", "type in which gradients are kept and reduced"}, o.gradients, usual.gradients,
                         {{"fp32", GradientType::fp32}, {"bf16", GradientType::bf16}});
  f.boolean({"overlap_gradients", "reduce gradients during the backward pass of the last micro-batch"}, o.overlap_gradients,
            usual.overlap_gradients);
  f.boolean({"overlap_parameters", "gather parameters during the next forward pass; needs zero: 1"}, o.overlap_parameters,
            usual.overlap_parameters);
}

void describe_faults(Fields& f, Faults& faults) {
  f.list<SlowGpu>({"slow", "GPUs that run slower"}, faults.slow, [](Fields& inner, SlowGpu& slow) {
    inner.integer({"gpu", "physical GPU, counted over all nodes from 0"}, slow.gpu, required, {0, most_gpus});
    inner.quantity({"factor", "share of its speed at which all its kernels run"}, slow.factor, Unit::ratio, required, share);
  });
  f.list<topology::LinkFault>({"links", "links that lost bandwidth"}, faults.links, [](Fields& inner, topology::LinkFault& link) {
    inner.text({"match", "glob over link names, such as \"leaf3:*\" (`gridlock topology` prints names)"}, link.match, required);
    inner.quantity({"factor", "share of the bandwidth that is left; 0 takes the link down, and routes go around it"}, link.factor,
                   Unit::ratio, required, {0, 1});
  });
}

constexpr Field seed_field{"seed", "of hashes and random placement"};
constexpr Range seed_range{0, 9007199254740992.0};  // 2^53: every JSON reader holds it exactly

struct Expect {
  std::optional<double> max, min;
};

void describe_expect(Fields& f, Expect& e) {
  f.map({"step_time", "bounds of the step time"}, true, [&](Fields& bounds) {
    bounds.optional_quantity({"max", "at most"}, e.max, Unit::seconds, positive);
    bounds.optional_quantity({"min", "at least"}, e.min, Unit::seconds, positive);
  });
}

void describe_measured(Fields& f, Measured& m) {
  f.quantity({"step_time", "what was measured"}, m.step_time_s, Unit::seconds, required, positive);
  f.text({"source", "who measured it, and where it is printed"}, m.source, required);
}

}  // namespace

void describe(Fields& f, Parallelism& p) {
  f.integer({"tensor", "ranks that split each layer"}, p.tensor, 1, {1, most_gpus});
  f.integer({"pipeline", "pipeline stages"}, p.pipeline, 1, {1, most_gpus});
  f.integer({"data", "replicas of the model", "GPUs / (tensor x pipeline)"}, p.data, 0, {1, most_gpus});
  f.boolean({"sequence_parallel", "norms and dropout are split over the tensor-parallel ranks too"}, p.sequence_parallel, false);
  f.choice<Schedule>(
      {"schedule", "order of forward and backward passes in the pipeline"}, p.schedule, Schedule::one_f_one_b,
      {{"gpipe", Schedule::gpipe}, {"1f1b", Schedule::one_f_one_b}, {"interleaved_1f1b", Schedule::interleaved_1f1b}});
  f.integer({"virtual_stages", "model chunks of one stage; more than 1 with interleaved_1f1b"}, p.virtual_stages, 1, {1, 1000});
  f.custom({"order", "which ranks are neighbours, fastest axis first", "tp-cp-ep-dp-pp"}, order_type(p.order), false);
  f.custom({"layers_per_stage", "layers of each stage in model order (pipeline x virtual_stages numbers)", "even"},
           layers_type(p.layers_per_stage), false);
  f.boolean({"overlap_p2p", "the compute stream does not wait for its pipeline sends", "true with interleaved_1f1b, else false"},
            p.overlap_p2p, p.schedule == Schedule::interleaved_1f1b);
  f.boolean(
      {"tp_overlap",
       "tensor-parallel collectives run in chunks beside their GEMMs (Transformer Engine user buffers); needs sequence_parallel"},
      p.tp_overlap, false);
  f.boolean({"scatter_gather", "each tensor-parallel rank sends its share of a stage boundary, the receiver gathers"},
            p.scatter_gather, true);
}

void describe(Fields& f, Scenario& s) {
  int kind = 0;
  f.choice<int>({"scenario", "what to simulate"}, kind, std::nullopt, {{"training_step", 0}});
  f.map({"cluster", "the machine"}, true, [&](Fields& inner) { describe(inner, s.cluster); });
  f.reference({"profile", "how fast kernels and links really are"}, "profiles",
              [&](Fields& inner) { describe(inner, s.profile); });
  f.map({"collectives", "what NCCL may use"}, false, [&](Fields& inner) { describe(inner, s.collectives); });
  f.reference({"model", "the transformer"}, "models", [&](Fields& inner) { describe(inner, s.model); });
  f.map({"parallelism", "how the work is split"}, true, [&](Fields& inner) { describe(inner, s.parallelism); });
  f.map({"batch", "sequences in a step"}, true, [&](Fields& inner) { describe_batch(inner, s.batch); });
  f.map({"optimizer", "optimiser and gradient reduction"}, false, [&](Fields& inner) { describe_optimizer(inner, s.optimizer); });
  f.choice<Precision>({"precision", "of weights, activations and matrix products"}, s.precision, Precision::bf16,
                      {{"bf16", Precision::bf16}, {"fp16", Precision::fp16}});
  using model::Recompute;
  f.choice<Recompute>({"recompute", "what the backward pass computes again: nothing, the attention core, or whole layers"},
                      s.recompute, Recompute::none,
                      {{"none", Recompute::none}, {"selective", Recompute::selective}, {"full", Recompute::full}});
  f.map({"faults", "what is broken on purpose"}, false, [&](Fields& inner) { describe_faults(inner, s.faults); });

  std::optional<Expect> expect;
  if (s.expect_max_step_s || s.expect_min_step_s) expect = Expect{s.expect_max_step_s, s.expect_min_step_s};
  f.optional_map<Expect>({"expect", "exit with 1 when the result is outside"}, expect, describe_expect);
  if (expect) s.expect_max_step_s = expect->max, s.expect_min_step_s = expect->min;

  f.optional_map<Measured>({"measured", "a published measurement, printed beside the prediction"}, s.measured, describe_measured);
  std::optional<SweepBlock> sweep;  // read to find mistakes in it; load_sweep_block() keeps it
  f.optional_map<SweepBlock>({"sweep", "what `gridlock sweep` varies"}, sweep,
                             [](Fields& inner, SweepBlock& block) { describe(inner, block); });

  f.integer({"steps", "training steps simulated; the last one is reported"}, s.steps, 2, {1, 100});
  f.integer(seed_field, s.seed, 1, seed_range);
}

void describe_machine(Fields& f, Scenario& s) {
  f.map({"cluster", "the machine"}, true, [&](Fields& inner) { describe(inner, s.cluster); });
  f.reference({"profile", "how fast kernels and links really are"}, "profiles",
              [&](Fields& inner) { describe(inner, s.profile); });
  f.map({"collectives", "what NCCL may use"}, false, [&](Fields& inner) { describe(inner, s.collectives); });
  f.map({"faults", "what is broken on purpose"}, false, [&](Fields& inner) { describe_faults(inner, s.faults); });
  f.integer(seed_field, s.seed, 1, seed_range);
}

}  // namespace gridlock::scenario

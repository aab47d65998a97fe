// From a row of published measurements to a scenario. Rows have the fields of a training run: model (layers, hidden, heads,
// vocab, seq, kv_heads, ffn), hardware (n_gpus, gpus_per_node), parallel (tp, pp, dp, vpp, zero, sp, recompute), micro_batch,
// global_batch, precision, measured (iter_time_s, or tokens_per_s_per_gpu); and cluster: and profile:, by name or inline.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>

#include "sim/validate/node_values.hpp"
#include "sim/validate/training.hpp"

namespace gridlock::validate {
namespace {

using scenario::Node;

// Why a row is left out.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const Node& map_at(const Node& row, std::string_view key) {
  const scenario::Entry* entry = row.find(key);
  if (!entry || !entry->value.is_map()) throw Unsupported(fmt::format("no '{}'", key));
  return entry->value;
}

double need(const Node& map, std::string_view key) {
  const std::optional<double> value = number_at(map, key);
  if (!value) throw Unsupported(fmt::format("{} is not given", key));
  return *value;
}

// A whole number as YAML writes it.
std::string whole(double value) { return fmt::format("{:.0f}", value); }

double one_without(const Node& map, std::string_view key) { return std::max(1.0, number_at(map, key).value_or(1)); }

// A node as YAML flow text.
std::string flow(const Node& node) {
  std::vector<std::string> parts;
  switch (node.kind) {
    case Node::Kind::null:
      return "null";
    case Node::Kind::scalar:
      return node.quoted ? nlohmann::json(node.text).dump() : node.text;
    case Node::Kind::sequence:
      for (const Node& item : node.items) parts.push_back(flow(item));
      return fmt::format("[{}]", fmt::join(parts, ", "));
    case Node::Kind::map:
      for (const scenario::Entry& entry : node.entries) parts.push_back(fmt::format("{}: {}", entry.key, flow(entry.value)));
      return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }
  throw std::logic_error("node kind out of range");
}

std::string cluster_text(const Node& row, const Node& hardware) {
  const scenario::Entry* cluster = row.find("cluster");
  if (!cluster) throw Unsupported("names no cluster");
  const double gpus_of_node = number_at(hardware, "gpus_per_node").value_or(8);
  const double nodes = std::ceil(need(hardware, "n_gpus") / gpus_of_node);
  if (cluster->value.is_map()) {
    Node inline_cluster = cluster->value;
    if (!inline_cluster.find("nodes"))
      inline_cluster.entries.push_back({"nodes", inline_cluster.mark, scalar(whole(nodes), inline_cluster.mark)});
    return flow(inline_cluster);
  }
  return fmt::format("{{nodes: {}, node: {}, fabric: {{kind: rail_fat_tree}}, idle: allow}}", whole(nodes), cluster->value.text);
}

std::string model_text(const Node& model) {
  for (const char* key : {"experts", "moe", "q_lora_rank"}) {
    if (model.find(key)) throw Unsupported("mixture of experts");
  }
  std::string text =
      fmt::format("layers: {}, hidden: {}, heads: {}, vocab: {}", whole(need(model, "layers")), whole(need(model, "hidden")),
                  whole(need(model, "heads")), whole(number_at(model, "vocab").value_or(51200)));
  if (const auto kv_heads = number_at(model, "kv_heads")) text += fmt::format(", kv_heads: {}", whole(*kv_heads));
  if (const auto ffn = number_at(model, "ffn")) text += fmt::format(", ffn: {}", whole(*ffn));
  std::string name = text_at(model, "name", "");
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool llama = name.find("llama") != std::string::npos;
  // Nemotron-4 (arXiv 2402.16819, section 2.1): rotary positions, untied embeddings, no biases, no dropout; its MLP is not gated.
  if (llama || name.find("nemotron") != std::string::npos)
    text += fmt::format(", gated_mlp: {}, tied_embeddings: false, bias: false, learned_positions: false, dropout: false", llama);
  return text;
}

std::string parallelism_text(const Node& parallel, double n_gpus) {
  for (const char* key : {"cp", "ep"}) {
    if (one_without(parallel, key) > 1) throw Unsupported(fmt::format("{} above 1", key));
  }
  const double tp = one_without(parallel, "tp"), pp = one_without(parallel, "pp"), vpp = one_without(parallel, "vpp");
  const double dp = number_at(parallel, "dp").value_or(n_gpus / (tp * pp));
  const std::string schedule = pp > 1 && vpp > 1 ? "interleaved_1f1b" : "1f1b";
  std::string text = fmt::format("tensor: {}, pipeline: {}, data: {}, schedule: {}", whole(tp), whole(pp), whole(dp), schedule);
  if (pp > 1 && vpp > 1) text += fmt::format(", virtual_stages: {}", whole(vpp));
  if (text_at(parallel, "sp", "false") == "true" && tp > 1) text += ", sequence_parallel: true";
  return text;
}

// GPUs run bf16 and fp16 equally fast.
std::string precision_text(const std::string& precision, std::vector<std::string>& assumed) {
  if (precision.empty() || precision == "null") return assumed.push_back("precision bf16"), "bf16";
  if (precision == "bf16" || precision == "amp_bf16") return "bf16";
  if (precision == "fp16" || precision == "mixed precision") return "fp16";
  throw Unsupported(fmt::format("precision {}", precision));
}

std::string recompute_text(const Node& parallel) {
  const std::string recompute = text_at(parallel, "recompute", "");
  if (recompute == "none" || recompute == "selective" || recompute == "full") return recompute;
  throw Unsupported(recompute.empty() ? "recompute is not given" : fmt::format("recompute {}", recompute));
}

double measured_step_s(const Node& row, double global_batch, double sequence, double n_gpus, std::vector<std::string>& assumed) {
  const Node& measured = map_at(row, "measured");
  if (const auto step = number_at(measured, "iter_time_s")) return *step;
  if (const auto rate = number_at(measured, "tokens_per_s_per_gpu")) return global_batch * sequence / (*rate * n_gpus);
  // Worked out from a printed TFLOP/s with the source's own count of FLOPs.
  if (const scenario::Entry* derived = row.find("derived"); derived && derived->value.is_map())
    if (const auto step = number_at(derived->value, "iter_time_s"))
      return assumed.push_back("step time derived from the printed TFLOP/s or rate"), *step;
  throw Unsupported("no measured step time");
}

std::string scenario_of(const Node& row, std::vector<std::string>& assumed) {
  const Node &model = map_at(row, "model"), &hardware = map_at(row, "hardware"), &parallel = map_at(row, "parallel");
  const scenario::Entry* profile = row.find("profile");
  if (!profile) throw Unsupported("names no profile");
  const double n_gpus = need(hardware, "n_gpus"), global = need(row, "global_batch"), sequence = need(model, "seq");
  const double zero = number_at(parallel, "zero").value_or(0);
  if (zero > 1) throw Unsupported(fmt::format("ZeRO stage {}", whole(zero)));
  std::string text = "scenario: training_step\n";
  text += fmt::format("cluster: {}\nprofile: {}\n", cluster_text(row, hardware), flow(profile->value));
  text += fmt::format("model: {{{}}}\nparallelism: {{{}}}\n", model_text(model), parallelism_text(parallel, n_gpus));
  text += fmt::format("batch: {{global: {}, micro: {}, sequence: {}}}\n", whole(global), whole(need(row, "micro_batch")),
                      whole(sequence));
  text += fmt::format("optimizer: {{zero: {}}}\nprecision: {}\nrecompute: {}\n", whole(zero),
                      precision_text(text_at(row, "precision", ""), assumed), recompute_text(parallel));
  const double step = measured_step_s(row, global, sequence, n_gpus, assumed);
  return text + fmt::format("measured: {{step_time: {}s, source: {}}}\n", step,
                            nlohmann::json(text_at(row, "source", "not stated")).dump());
}

}  // namespace

std::vector<TrainingCase> cases_of_rows(const std::string& path, std::vector<std::string>& skipped) {
  std::vector<TrainingCase> cases;
  const Node root = scenario::parse_yaml(scenario::read_source(path), path.ends_with(".json"));
  for (const Node& row : list_at(root, "rows").items) {
    const std::string id = text_at(row, "id", fmt::format("line {}", row.mark.line));
    try {
      TrainingCase one{
          .id = id, .source = text_at(row, "source_id", id.substr(0, id.find('_'))), .scenario_file = "", .scenario_text = ""};
      one.scenario_text = scenario_of(row, one.assumed);
      cases.push_back(std::move(one));
    } catch (const Unsupported& why) {
      skipped.push_back(fmt::format("{}: {}", id, why.what()));
    }
  }
  return cases;
}

}  // namespace gridlock::validate

#include <fmt/format.h>

#include <numeric>

#include "sim/scenario/checks.hpp"
#include "sim/scenario/declarations.hpp"

namespace gridlock::scenario {
namespace {

std::string counted(std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

// ranks = tensor x pipeline x data must be the number of GPUs; data is derived when left out.
void check_ranks(Scenario& s, Diagnostics& out) {
  Parallelism& p = s.parallelism;
  const std::int64_t gpus = s.gpus();
  const std::int64_t replica = static_cast<std::int64_t>(p.tensor) * p.pipeline;
  const Mark mark = s.places->at("parallelism.data");
  const auto gpu_text = [&] { return fmt::format("{} nodes x {} GPUs = {} GPUs", s.cluster.nodes, s.cluster.node.gpus, gpus); };
  if (replica > gpus) {
    out.error("ranks", s.places->at("parallelism.pipeline"),
              fmt::format("tensor {} x pipeline {} = {} ranks do not fit on {}", p.tensor, p.pipeline, replica, gpu_text()),
              fmt::format("use at least {} nodes, or split less", (replica + s.cluster.node.gpus - 1) / s.cluster.node.gpus));
    return;
  }
  if (p.data == 0) {
    p.data = static_cast<int>(gpus / replica);
    if (gpus % replica == 0 || s.cluster.allow_idle_gpus) return;
    out.error("ranks", mark,
              fmt::format("{} are no multiple of tensor {} x pipeline {} = {}", gpu_text(), p.tensor, p.pipeline, replica),
              fmt::format("write cluster.idle: allow to leave {} GPUs idle", gpus % replica));
    return;
  }
  const double ranks = static_cast<double>(replica) * p.data;
  if (ranks == static_cast<double>(gpus) || (s.cluster.allow_idle_gpus && ranks < static_cast<double>(gpus))) return;
  const std::string fit = gpus % replica == 0 ? fmt::format("write data: {} or leave it out", gpus / replica)
                                              : fmt::format("tensor x pipeline = {} does not divide {}", replica, gpus);
  out.error(
      "ranks", mark,
      fmt::format("tensor {} x pipeline {} x data {} = {:.0f} ranks, but {}", p.tensor, p.pipeline, p.data, ranks, gpu_text()),
      ranks < static_cast<double>(gpus) ? fit + "; cluster.idle: allow leaves the rest idle" : fit);
}

void check_schedule(const Scenario& s, Diagnostics& out) {
  const Parallelism& p = s.parallelism;
  const bool interleaved = p.schedule == Schedule::interleaved_1f1b;
  if (interleaved && p.virtual_stages < 2) {
    out.error("schedule", s.places->at("parallelism.schedule"), "interleaved_1f1b needs virtual_stages of 2 or more",
              "write virtual_stages: 2, or schedule: 1f1b");
  }
  if (interleaved && p.pipeline < 2) {
    out.error("schedule", s.places->at("parallelism.schedule"), "interleaved_1f1b needs pipeline of 2 or more",
              "write pipeline: 2, or schedule: 1f1b");
  }
  if (!interleaved && p.virtual_stages > 1) {
    out.error("schedule", s.places->at("parallelism.virtual_stages"),
              fmt::format("virtual_stages {} needs schedule interleaved_1f1b", p.virtual_stages),
              "write schedule: interleaved_1f1b, or remove virtual_stages");
  }
}

void check_overlap(const Scenario& s, Diagnostics& out) {
  const Parallelism& p = s.parallelism;
  if (!p.tp_overlap || p.sequence_parallel) return;
  out.error("overlap", s.places->at("parallelism.tp_overlap"), "tp_overlap needs sequence_parallel",
            "write sequence_parallel: true: what overlaps are its all-gathers and reduce-scatters");
}

void check_layers(Scenario& s, Diagnostics& out) {
  Parallelism& p = s.parallelism;
  const std::int64_t chunks = static_cast<std::int64_t>(p.pipeline) * p.virtual_stages;
  const std::string stages =
      p.virtual_stages > 1 ? fmt::format("pipeline {} x virtual_stages {} = {} chunks", p.pipeline, p.virtual_stages, chunks)
                           : fmt::format("{} stages", chunks);
  if (p.layers_per_stage.empty()) {
    if (s.model.layers % chunks != 0) {
      out.error("layers", s.places->at("parallelism.pipeline"),
                fmt::format("{} layers cannot be split evenly over {}", s.model.layers, stages),
                fmt::format("write layers_per_stage as a list of {} numbers that add up to {}", chunks, s.model.layers));
      return;
    }
    p.layers_per_stage.assign(static_cast<std::size_t>(chunks), static_cast<int>(s.model.layers / chunks));
    return;
  }
  const Mark mark = s.places->at("parallelism.layers_per_stage");
  if (static_cast<std::int64_t>(p.layers_per_stage.size()) != chunks) {
    out.error("layers", mark, fmt::format("layers_per_stage has {} for {}", counted(p.layers_per_stage.size(), "number"), stages),
              "write one number a stage and chunk, in model order");
  } else if (const std::int64_t sum = std::accumulate(p.layers_per_stage.begin(), p.layers_per_stage.end(), std::int64_t{0});
             sum != s.model.layers) {
    out.error("layers", mark, fmt::format("layers_per_stage adds up to {}, the model has {} layers", sum, s.model.layers),
              "write even, or numbers that add up to the model\'s layers");
  }
}

void check_batch(const Scenario& s, Diagnostics& out) {
  const Parallelism& p = s.parallelism;
  const std::int64_t once = s.batch.micro * p.data;  // sequences that all replicas take at a time
  const Mark mark = s.places->at("batch.global");
  if (s.batch.global % once != 0) {
    const std::int64_t below = s.batch.global / once * once;
    out.error(
        "not-divisible", mark,
        fmt::format("global batch {} is not divisible by data {} x micro {} = {}", s.batch.global, p.data, s.batch.micro, once),
        below > 0 ? fmt::format("write {} or {}", below, below + once) : fmt::format("write at least {}", once));
    return;
  }
  if (p.schedule == Schedule::interleaved_1f1b && s.micro_batches() % p.pipeline != 0) {
    out.error("not-divisible", mark,
              fmt::format("{} micro-batches a replica are not divisible by pipeline {}", s.micro_batches(), p.pipeline),
              fmt::format("interleaved_1f1b runs them in groups of pipeline: write a global batch that is a multiple of {}",
                          once * p.pipeline));
  }
}

void warn_about_tensor(const Scenario& s, Diagnostics& out) {
  const int t = s.parallelism.tensor, per_node = s.cluster.node.gpus;
  const Mark mark = s.places->at("parallelism.tensor");
  if (t > per_node) {
    out.warning("slow-layout", mark,
                fmt::format("tensor {} spans nodes of {} GPUs: every layer waits for the network", t, per_node));
  } else if (per_node % t != 0 && s.cluster.nodes > 1) {
    out.warning("slow-layout", mark,
                fmt::format("tensor {} does not divide the {} GPUs of a node: some groups span two nodes", t, per_node));
  }
}

}  // namespace

void check_split(Scenario& s, Diagnostics& out) {
  const std::size_t before = out.error_count();
  check_ranks(s, out);
  check_schedule(s, out);
  check_overlap(s, out);
  check_layers(s, out);
  if (out.error_count() > before) return;  // the rest divides by numbers that are wrong
  check_batch(s, out);
  warn_about_tensor(s, out);
  const int per_node = s.cluster.node.gpus;
  const auto needed = static_cast<std::size_t>((s.parallelism.ranks() + per_node - 1) / per_node);
  if (s.cluster.placement.kind == topology::PlacementKind::listed && s.cluster.placement.nodes.size() < needed) {
    out.error("ranks", s.places->at("cluster.placement"),
              fmt::format("placement names {}, {} ranks need {}", counted(s.cluster.placement.nodes.size(), "node"),
                          s.parallelism.ranks(), needed),
              "name more nodes, or split less");
  }
}

}  // namespace gridlock::scenario

// One training step to simulate, as the user wrote it: typed, complete, validated. Made by load_scenario; nothing after it reads
// YAML.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectives/override.hpp"
#include "sim/model/model_spec.hpp"
#include "sim/model/profile.hpp"
#include "sim/scenario/source_map.hpp"
#include "topology/specs.hpp"

namespace gridlock::scenario {

enum class Schedule : std::uint8_t { gpipe, one_f_one_b, interleaved_1f1b };

// Axis names of `order`, fastest first: "tp-cp-ep-dp-pp" puts the ranks of one tensor group side by side.
enum class Axis : std::uint8_t { tensor, context, expert, pipeline, data };

struct Parallelism {
  int tensor = 1, pipeline = 1, data = 1;
  bool sequence_parallel = false;
  Schedule schedule = Schedule::one_f_one_b;
  int virtual_stages = 1;
  std::vector<Axis> order{Axis::tensor, Axis::context, Axis::expert, Axis::data, Axis::pipeline};
  // pipeline * virtual_stages entries in model order: [c * pipeline + s] is chunk c of stage s; always filled by the loader.
  std::vector<int> layers_per_stage;
  bool overlap_p2p = false;    // default: true for interleaved_1f1b, else false
  bool tp_overlap = false;     // tensor-parallel collectives pipelined with their GEMMs (Transformer Engine user buffers)
  bool scatter_gather = true;  // each tensor rank sends its 1/t of a stage boundary
  int ranks() const { return tensor * pipeline * data; }
};

struct Batch {
  std::int64_t global = 0, micro = 1, sequence = 0;
};

enum class Precision : std::uint8_t { bf16, fp16 };
enum class GradientType : std::uint8_t { fp32, bf16 };

struct Optimizer {
  int zero = 0;                  // 0 or 1 (Megatron's distributed optimizer)
  double bucket_parameters = 0;  // filled by the loader: max(40M, 1M x data), Megatron-LM's default
  GradientType gradients = GradientType::fp32;
  bool overlap_gradients = true;
  bool overlap_parameters = true;
};

struct SlowGpu {
  std::uint32_t gpu = 0;  // physical GPU
  double factor = 1;      // all its kernels run at this share of their speed
};

// What NCCL_ALGO and NCCL_PROTO would say; checked by check_collectives.
struct CollectiveLists {
  std::string algorithms, protocols;
  collectives::Override parsed() const;  // throws std::invalid_argument
};

struct Faults {
  std::vector<SlowGpu> slow;
  std::vector<topology::LinkFault> links;
};

struct Measured {
  double step_time_s = 0;
  std::string source;
};

struct InputFile {
  std::string path;
  std::string fnv1a64;  // hash of its bytes, hex
};

struct Scenario {
  std::string name;  // file stem
  std::string path;
  std::string resolved_json;  // the scenario with every default filled and every reference inlined, as JSON text
  std::vector<InputFile> files;
  topology::ClusterSpec cluster;
  model::Profile profile;
  CollectiveLists collectives;
  model::ModelSpec model;
  Parallelism parallelism;
  Batch batch;
  Optimizer optimizer;
  Precision precision = Precision::bf16;
  model::Recompute recompute = model::Recompute::none;
  Faults faults;
  std::optional<double> expect_max_step_s, expect_min_step_s;
  std::optional<Measured> measured;
  int steps = 2;
  std::uint64_t seed = 1;
  std::vector<std::string> warnings;        // one line each, with file and line
  std::shared_ptr<const SourceMap> places;  // where each key stands, for mistakes that are found after loading (locate)
  int gpus() const { return cluster.nodes * cluster.node.gpus; }
  std::int64_t micro_batches() const { return batch.global / (batch.micro * parallelism.data); }
};

}  // namespace gridlock::scenario

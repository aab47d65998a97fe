// Published nccl-tests tables: a file of the shape of scenarios/validation/nccl.yaml.
//
//   tables:
//   - id: i309_h100_4n_ar
//     collective: all_reduce
//     nodes: 4
//     gpus_per_node: 8
//     ranks: 32
//     quality: ok                    # only these count
//     cluster: hgx-h100              # a node of the catalogue (nodes: as above), a scenario file, or a cluster: map inline
//     profile: h100-sxm              # a profile of the catalogue, a file, or inline
//     fitted: true                   # the profile was fitted to this table: scored apart
//     left_out_profile: ...          # with fitted: the profile without what this environment gave it; scored beside
//     columns: [size_bytes, oop_time_us, ip_time_us, ...]      # microseconds; null = not given
//     rows: [[8, 83.42, 34.75], ...]
//
// gpus_per_process says how many GPUs one process drives; without it "-g 8" or "one process" (all of a node) in `environment`
// does. NCCL_ALGO, NCCL_PROTO, NCCL_MIN_CTAS, NCCL_MIN_NCHANNELS and NCCL_NVLS_ENABLE=0 in `environment` are obeyed. Other keys
// are kept by nobody.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collectives/tuning.hpp"
#include "sim/bench/nccl_log.hpp"
#include "sim/scenario/yaml.hpp"

namespace gridlock::validate {

struct NcclTable {
  std::string id, quality, gpu, source;
  collectives::Kind kind = collectives::Kind::all_reduce;
  int nodes = 1, gpus_per_node = 1, ranks = 2, gpus_per_process = 1;
  collectives::Override forced;
  bool nvls = true;      // false: switched off
  int min_channels = 0;  // asked for
  bool fitted = false;
  std::optional<scenario::Node> cluster, profile, left_out_profile;
  scenario::Mark mark;
  std::vector<bench::MeasuredRow> rows;  // by size, usable ones
};

struct NcclTables {
  scenario::SourcePtr file;
  std::vector<NcclTable> tables;
  std::vector<std::string> problems;  // what was left out and why
};

// Throws scenario::FileError, and scenario::InvalidScenario when the file is not of this shape.
NcclTables read_nccl_tables(const std::string& path);

}  // namespace gridlock::validate

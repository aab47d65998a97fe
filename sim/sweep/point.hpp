// One simulated point of a sweep: what of a run's result is kept. All seconds are means over the GPUs of the reported step, as
// in `gridlock run` (docs/reference/result.md). A point that failed has only its place and its error.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/analysis/state.hpp"

namespace gridlock::sweep {

constexpr std::size_t path_categories = analysis::state_count + 1;  // the states of the breakdown, and latency_s

// GPU-seconds of one state with one thing that bounds them. Kernels and waits alike: the seconds of all causes of a point add
// up to its step time.
struct Cause {
  std::string state;  // "exposed_data_s"
  std::string kind;   // kernel | link | latency | copy | peer
  std::string name;   // of a link: "NIC to leaf"; else empty
  double seconds = 0;
};

// Links between two sorts of device, all classes of them together.
struct LinkUse {
  std::string name;                                   // "NIC to leaf"
  std::string busiest;                                // its fullest class, as `gridlock run` names it
  double mean_utilization = 0, peak_utilization = 0;  // of that class
};

// How a collective was run: changes of it explain jumps.
struct AlgorithmUse {
  std::string label;      // "dp.reduce_scatter"
  std::string algorithm;  // "Ring Simple"
};

struct Point {
  std::int64_t index = 0;           // place in the grid, the last axis fastest; of a refining point -1
  std::vector<std::string> values;  // by path of the axes, in their order
  std::string error;                // not empty: the point failed, and nothing below is set

  double step_s = 0, tokens_per_s_per_gpu = 0, mfu_full = 0, mfu_causal = 0, hfu = 0, memory_bytes = 0;
  std::int64_t gpus = 0;
  analysis::Seconds breakdown{};                        // adds up to step_s
  std::array<double, path_categories> critical_path{};  // adds up to step_s
  std::vector<Cause> causes;                            // longest first
  std::vector<LinkUse> links;                           // fullest first
  std::string bottleneck;             // the link class that bounds most waiting, else the fullest; empty without links
  double bottleneck_utilization = 0;  // peak, of the fullest class of that name
  double waits_link_s = 0, waits_latency_s = 0, waits_copy_s = 0, waits_peer_s = 0;  // what bounds the waits
  std::vector<AlgorithmUse> algorithms;
  std::string fingerprint;

  bool failed() const { return !error.empty(); }
  bool refined() const { return index < 0; }
};

std::string_view category_name(std::size_t category);  // of critical_path

// One line of a result file; reading it back gives the same point to the last bit.
nlohmann::ordered_json point_json(const Point& point);
Point point_of_json(const nlohmann::ordered_json& json);  // throws nlohmann::json::exception

}  // namespace gridlock::sweep

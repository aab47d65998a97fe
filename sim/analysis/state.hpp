// What a GPU is doing, decided by its compute stream; the terms of the breakdown (their seconds add up to the step time).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/parallel/step_graph.hpp"

namespace gridlock::analysis {

enum class State : std::uint8_t {
  compute,       // a kernel bound by arithmetic
  memory_bound,  // a kernel bound by HBM
  host,          // between kernels, waiting for the host's dispatch
  exposed_tensor,
  exposed_pipeline,
  exposed_data,
  exposed_context,
  exposed_expert,  // waiting for an operation that has started
  straggler,       // waiting for the other members of a collective
  bubble,          // waiting for a message that is not sent yet, or done before the step's end
  other,
};
constexpr std::size_t state_count = 11;
using Seconds = std::array<double, state_count>;

constexpr std::array<std::string_view, state_count> state_names = {
    "compute_s",      "memory_bound_s",    "host_s",           "exposed_tensor_s", "exposed_pipeline_s",
    "exposed_data_s", "exposed_context_s", "exposed_expert_s", "straggler_s",      "bubble_s",
    "other_s"};

constexpr State exposed(parallel::Dimension dimension) {
  switch (dimension) {
    case parallel::Dimension::tensor:
      return State::exposed_tensor;
    case parallel::Dimension::pipeline:
      return State::exposed_pipeline;
    case parallel::Dimension::data:
      return State::exposed_data;
    case parallel::Dimension::context:
      return State::exposed_context;
    case parallel::Dimension::expert:
      return State::exposed_expert;
  }
  return State::other;
}

// Waiting for an operation that has started.
constexpr bool is_exposed(State s) { return s >= State::exposed_tensor && s <= State::exposed_expert; }

inline double& at(Seconds& seconds, State state) { return seconds[static_cast<std::size_t>(state)]; }
inline double at(const Seconds& seconds, State state) { return seconds[static_cast<std::size_t>(state)]; }

}  // namespace gridlock::analysis

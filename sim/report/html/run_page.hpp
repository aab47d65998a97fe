// What `gridlock run --html` shows, as data for assets/run.js: the JSON of the run, the `why` story, and over time, in equal
// slices of the step, what each class of ranks does and how full each class of links is.
#pragma once

#include "sim/report/why.hpp"

namespace gridlock::report::html {

constexpr std::size_t time_slices = 1000;    // of the step
constexpr std::size_t most_rank_lanes = 24;  // classes of ranks drawn over time; those with most GPUs first
constexpr std::size_t most_link_lanes = 40;  // classes of links listed; the fullest first
constexpr std::size_t most_calls = 20;       // operations listed

// `result` is result_json(report, host) with `why` in it.
nlohmann::ordered_json run_page_data(const RunReport& report, nlohmann::ordered_json result);

// Seconds of each state in each of `slices` equal slices of the reported step: [state][slice].
std::vector<std::vector<float>> states_over_time(const analysis::History& history, Index rank_class, std::size_t slices);

}  // namespace gridlock::report::html

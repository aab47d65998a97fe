// Simulated beside measured, size by size.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/bench/benchmark.hpp"
#include "sim/bench/nccl_log.hpp"

namespace gridlock::bench {

struct Compared {
  std::uint64_t bytes = 0;
  double simulated_s = 0, measured_s = 0;                        // measured: the smaller of in place and out of place
  double error() const { return simulated_s / measured_s - 1; }  // signed
};

// The sizes that both have.
std::vector<Compared> compare(const Outcome& outcome, const NcclLog& log);

std::string comparison_text(const Request& request, const Outcome& outcome, const std::vector<Compared>& rows);
nlohmann::ordered_json comparison_json(const std::vector<Compared>& rows);

}  // namespace gridlock::bench

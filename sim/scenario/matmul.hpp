// `scenario: matmul`: matrix products on one device, for comparing devices and for holding a calibrated one against itself.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace gridlock::scenario {

struct Product {
  std::int64_t m = 0, n = 0, k = 0, batch = 1;  // C[m x n] = A[m x k] B[k x n]
};

struct Matmul {
  Scenario machine;       // cluster, profile, seed and what every scenario has
  std::string precision;  // a key of the device's peaks
  std::vector<Product> products;
};

// What `scenario:` says in the file, its base or the overrides; "" when it says nothing that can be read.
std::string scenario_kind(const std::string& path, const std::vector<std::string>& overrides);

// Throws FileError and InvalidScenario as load_scenario does.
Matmul load_matmul(const std::string& path, const std::vector<std::string>& overrides);

}  // namespace gridlock::scenario

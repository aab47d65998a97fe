// gridlock run on `scenario: matmul`.
#pragma once

#include <string>

#include "sim/cli/command.hpp"

namespace gridlock::cli {

// `samples`: profiles drawn for standard errors.
int run_matmul(const std::string& path, const Common& common, const std::vector<std::string>& overrides, int samples);

}  // namespace gridlock::cli

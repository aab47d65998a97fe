// The parts of `gridlock validate`.
#pragma once

#include <string>

#include "sim/cli/command.hpp"

namespace gridlock::cli {

void add_validate_collectives(CLI::App& validate, Run& chosen);
void add_validate_training(CLI::App& validate, Run& chosen);

// A file of the catalogue's folder validation/.
std::string validation_file(const std::string& name);
// The catalogue's folder of scenarios of published runs.
std::string published_folder();

}  // namespace gridlock::cli

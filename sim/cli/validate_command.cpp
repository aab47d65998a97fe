// gridlock validate: hold the simulator against measurements.

#include <filesystem>

#include "sim/cli/validate_commands.hpp"
#include "sim/scenario/catalogue.hpp"

namespace gridlock::cli {

namespace fs = std::filesystem;

// Where nothing is found: the last place looked at, so that reading it says that it is missing.
std::string validation_file(const std::string& name) {
  fs::path last;
  for (const std::string& folder : scenario::catalogue_folders({}, "validation")) {
    last = fs::path(folder) / name;
    if (fs::is_regular_file(last)) break;
  }
  return last.string();
}

std::string published_folder() {
  std::string last;
  for (const std::string& folder : scenario::catalogue_folders({}, "published")) {
    last = folder;
    if (fs::is_directory(last)) break;
  }
  return last;
}

void add_validate(CLI::App& app, Run& chosen) {
  CLI::App* command = app.add_subcommand("validate", "Hold the simulator against published measurements");
  command->require_subcommand(1);
  add_validate_collectives(*command, chosen);
  add_validate_training(*command, chosen);
}

}  // namespace gridlock::cli

// Any bytes as a scenario file: it loads, and then its resolved form loads to itself, or it ends in diagnostics. Nothing else.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sim/scenario/load.hpp"

using namespace gridlock::scenario;

namespace {

// One folder a process: libFuzzer runs the inputs one after the other.
const std::filesystem::path& folder() {
  static const std::filesystem::path path = [] {
    std::string pattern = (std::filesystem::temp_directory_path() / "gridlock-fuzz-XXXXXX").string();
    if (!mkdtemp(pattern.data())) std::abort();
    return std::filesystem::path(pattern);
  }();
  return path;
}

std::string write(const std::string& name, std::string_view text) {
  const std::filesystem::path path = folder() / name;
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string path = write("fuzz.yaml", std::string_view(reinterpret_cast<const char*>(data), size));
  try {
    const Scenario s = load_scenario(path);
    const Scenario again = load_scenario(write("resolved.json", s.resolved_json));
    if (again.resolved_json != s.resolved_json) __builtin_trap();
  } catch (const InvalidScenario& e) {
    if (e.diagnostics.empty()) __builtin_trap();
  }
  return 0;
}

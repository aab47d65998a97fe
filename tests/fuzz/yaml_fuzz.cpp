// Any bytes: either a document tree, or one diagnostic that can be rendered. The first byte chooses YAML or JSON.
#include "sim/scenario/yaml.hpp"

using namespace gridlock::scenario;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const auto source =
      std::make_shared<const Source>(Source{"fuzz", std::string(reinterpret_cast<const char*>(data + 1), size - 1)});
  try {
    parse_yaml(source, data[0] % 2 == 1);
  } catch (const InvalidScenario& e) {
    if (e.diagnostics.size() != 1 || render(e.diagnostics, true).empty()) __builtin_trap();
  }
  return 0;
}

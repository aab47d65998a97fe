#include "sim/cli/run_matmul.hpp"

#include <fmt/format.h>

#include "sim/cli/exit_codes.hpp"
#include "sim/uncertainty/matmul.hpp"

namespace gridlock::cli {

int run_matmul(const std::string& path, const Common& common, const std::vector<std::string>& overrides, int samples) {
  const scenario::Matmul matmul = scenario::load_matmul(path, overrides);
  const std::vector<report::ProductTime> times = uncertainty::product_times(matmul, samples);
  std::string text = report::matmul_text(matmul, times);
  if (!common.quiet)
    for (const std::string& warning : matmul.machine.warnings) text += "  warning: " + warning + "\n";
  deliver(common, text, report::matmul_json(matmul, times).dump(2) + "\n");
  return ExitCode::done;
}

}  // namespace gridlock::cli

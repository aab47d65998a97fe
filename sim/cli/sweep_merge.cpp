// gridlock sweep --merge: the files of the shards of a sweep as one.

#include "sim/cli/exit_codes.hpp"
#include "sim/cli/sweep_options.hpp"
#include "sim/sweep/merge.hpp"

namespace gridlock::cli {

int run_merge(const SweepOptions& options) {
  using sweep::ResultFile;
  const std::string& output = options.common.output;
  try {
    const sweep::Header header = ResultFile(options.merge.front(), ResultFile::Mode::read, std::nullopt).header();
    ResultFile merged(output, output.empty() ? ResultFile::Mode::temporary : ResultFile::Mode::create, header);
    sweep::merge(options.merge, merged);
    merged.sync();
    deliver_sweep(options, merged);
  } catch (const sweep::WrongFile& error) {
    throw UsageError(error.what());
  }
  return ExitCode::done;
}

}  // namespace gridlock::cli

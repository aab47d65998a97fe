// What `gridlock sweep` does once its options are read.

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <filesystem>

#include "sim/cli/exit_codes.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/sweep_html.hpp"
#include "sim/cli/sweep_options.hpp"
#include "sim/cli/writable.hpp"
#include "sim/report/version.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/load.hpp"
#include "sim/sweep/csv.hpp"
#include "sim/sweep/interrupt.hpp"
#include "sim/sweep/measure.hpp"
#include "sim/sweep/result_json.hpp"
#include "sim/sweep/run.hpp"
#include "sim/sweep/scaling.hpp"
#include "sim/sweep/specification.hpp"
#include "sim/sweep/table.hpp"

namespace gridlock::cli {
namespace {

constexpr std::uint64_t many_points = 100'000;

// "5%" or "0.05".
double parse_knee(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (error != std::errc() || (!rest.empty() && rest != "%") || !(value >= 0))
    throw UsageError(fmt::format("--knee '{}' is no share: write 5% or 0.05; 0 looks for no knees", text));
  return rest.empty() ? value : value / 100;
}

sweep::Shard parse_shard(const std::string& text) {
  if (text.empty()) return {};
  sweep::Shard shard;
  const char* end = text.data() + text.size();
  const auto part = std::from_chars(text.data(), end, shard.part);
  const bool slash = part.ec == std::errc() && part.ptr != end && *part.ptr == '/';
  const auto of = slash ? std::from_chars(part.ptr + 1, end, shard.of) : part;
  if (!slash || of.ec != std::errc() || of.ptr != end || shard.part < 1 || shard.part > shard.of)
    throw UsageError(fmt::format("--shard '{}' is no part of a sweep: write I/N with I from 1 to N, such as 3/16", text));
  --shard.part;
  return shard;
}

sweep::Header make_header(const SweepOptions& options, const scenario::Scenario& s) {
  sweep::Header header;
  header.version = report::version();
  header.scenario = s.name;
  header.fnv1a64 = scenario::fnv1a64(s.resolved_json);
  header.knee_threshold = parse_knee(options.knee);
  if (options.scale.empty()) {
    header.axes = sweep::make_axes(options.vary, options.zip, scenario::load_sweep_block(options.scenario, options.overrides()));
  } else {
    header.axes = {sweep::scale_axis(options.scale, options.hold, s)};
    header.scaling = options.hold;
    header.knee_threshold = 0;  // the step of a larger job is shorter: no plateau to leave
  }
  header.ignore_memory = options.ignore_memory;
  return header;
}

void check_scale(const SweepOptions& options) {
  if (!options.scale.empty() && !(options.vary.empty() && options.zip.empty()))
    throw UsageError("--scale is a sweep of its own: leave --vary and --zip out");
}

// A path that leads nowhere in this scenario (an element that a list does not have), or values that are none (no unit), would
// fail every point. Told by the first point and the last, which have different values of every axis.
void check_ends(const SweepOptions& options, const sweep::Grid& grid) {
  for (const std::uint64_t index : {std::uint64_t{0}, grid.size() - 1}) {
    std::vector<std::string> overrides = options.overrides();
    for (std::string& change : grid.overrides(grid.values(index))) overrides.push_back(std::move(change));
    try {
      scenario::load_scenario(options.scenario, overrides);
    } catch (const scenario::InvalidScenario& error) {
      const scenario::Diagnostic& first = error.diagnostics.front();
      const bool of_the_value =
          first.source == scenario::override_source &&
          (first.code == "bad-override" || first.code == "wrong-type" || first.code == "bad-value" || first.code == "syntax");
      if (of_the_value) throw;  // else the point's own mistake: a row with its error
    }
  }
}

void check_outputs(const SweepOptions& options, const scenario::Scenario& s) {
  for (const std::string& output : {options.common.output, options.csv, options.html})
    for (const scenario::InputFile& file : s.files) {
      std::error_code ignored;
      if (!output.empty() && (output == file.path || std::filesystem::equivalent(output, file.path, ignored)))
        throw UsageError(fmt::format("{} is an input of this sweep: write the result elsewhere", output));
    }
  if (!options.csv.empty() && options.csv == options.common.output) throw UsageError("-o and --csv name the same file");
  if (!options.html.empty() && (options.html == options.csv || options.html == options.common.output))
    throw UsageError("--html names the file of -o or --csv");
  if (options.resume && options.common.output.empty()) throw UsageError("--resume needs the file to go on with: -o FILE");
  require_writable(options.csv);
  require_writable(options.html);
}

sweep::Header checked_header(const SweepOptions& options, const scenario::Scenario& s) {
  try {
    check_scale(options);
    sweep::Header header = make_header(options, s);
    const sweep::Grid grid(header.axes);
    if (grid.size() > many_points && !options.yes)
      throw UsageError(fmt::format("{} points are many: add --yes to run them all", grid.size()));
    check_ends(options, grid);
    return header;
  } catch (const sweep::SpecificationError& error) {
    throw UsageError(error.what());
  }
}

std::unique_ptr<sweep::ResultFile> open_result(const SweepOptions& options, const sweep::Header& header) {
  using Mode = sweep::ResultFile::Mode;
  const Mode mode = options.common.output.empty() ? Mode::temporary : options.resume ? Mode::resume : Mode::create;
  try {
    return std::make_unique<sweep::ResultFile>(options.common.output, mode, header);
  } catch (const sweep::WrongFile& error) {
    throw UsageError(error.what());
  }
}

void simulate_points(const SweepOptions& options, const sweep::Shard& shard, sweep::ResultFile& file, sweep::Workers& workers) {
  const bool whole = shard.of == 1;  // knees need every point
  {
    ProgressLine line("sweep", options.common.quiet);
    sweep::run_grid(file, workers, shard, [&](auto done, auto all, auto failed) { line.show(done, all, failed); });
  }
  if (!whole || file.header().knee_threshold <= 0) return;
  ProgressLine line("looking for knees", options.common.quiet);
  sweep::run_refinement(file, workers, [&](auto done, auto all, auto failed) { line.show(done, all, failed); });
}

int stop(const SweepOptions& options, const sweep::ResultFile& file) {
  tell(options.common.output.empty()
           ? fmt::format("interrupted after {} points; with -o FILE they would have been kept\n", file.grid_points())
           : fmt::format("interrupted: {} of {} points are in {}; the same command with --resume goes on\n", file.grid_points(),
                         file.grid().size(), options.common.output));
  return ExitCode::interrupted;
}

}  // namespace

void deliver_sweep(const SweepOptions& options, const sweep::ResultFile& file) {
  if (!options.csv.empty()) sweep::write_csv(file, options.csv);
  if (!options.html.empty()) write_sweep_page(file, options.html);
  if (options.common.json) {
    sweep::write_json_lines(file, [](const std::string& line) { deliver_text(line + "\n"); });
  } else {
    deliver_text(sweep::table(file) + (file.header().scaling.empty() ? "" : sweep::scaling_text(file)));
  }
}

sweep::Work sweep_work(const SweepOptions& options) {
  const scenario::SourcePtr source = scenario::read_source(options.scenario);
  const sweep::MeasureOptions asked{options.ignore_memory, options.yes, "", 1};
  return [source, asked, common = options.overrides()](const sweep::Task& task) {
    std::vector<std::string> overrides = common;
    overrides.insert(overrides.end(), task.overrides.begin(), task.overrides.end());
    sweep::MeasureOptions measure = asked;
    measure.scaled_cables = task.scaled_cables;
    measure.scale = task.scale;
    return sweep::measure_line(source, overrides, measure, task.place);
  };
}

int run_sweep(const SweepOptions& options, const MakeWorkers& make_workers) {
  const scenario::Scenario s = scenario::load_scenario(options.scenario, options.overrides());
  check_outputs(options, s);
  const sweep::Shard shard = parse_shard(options.shard);
  const sweep::Header header = checked_header(options, s);
  if (!header.scaling.empty() && !options.common.quiet)
    if (const std::string advice = sweep::batch_advice(header.axes.front(), s); !advice.empty())
      tell("warning: " + advice + "\n");
  const std::unique_ptr<sweep::ResultFile> file = open_result(options, header);
  sweep::catch_interrupts();
  const std::unique_ptr<sweep::Workers> workers = make_workers(sweep_work(options));
  try {
    simulate_points(options, shard, *file, *workers);
  } catch (const sweep::Interrupted&) {
    return stop(options, *file);
  }
  deliver_sweep(options, *file);
  if (file->grid_points() > 0 && file->failed_points() == file->grid_points()) {
    tell("error: every point failed\n");
    return ExitCode::invalid_scenario;
  }
  return ExitCode::done;
}

}  // namespace gridlock::cli

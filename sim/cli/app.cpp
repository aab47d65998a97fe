#include "sim/cli/app.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "sim/cli/command.hpp"
#include "sim/cli/exit_codes.hpp"
#include "sim/engine/executor.hpp"
#include "sim/report/version.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/whatif/worker_failed.hpp"
#include "topology/error.hpp"
#include "topology/text.hpp"

namespace gridlock::cli {
namespace {

// CLI11 says "a subcommand is required" for a misspelt one.
std::string message_of(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const std::vector<const CLI::App*> commands = app.get_subcommands({});
  const auto is_typed = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
  if (argc > 1 && *argv[1] != '-' && std::none_of(commands.begin(), commands.end(), is_typed))
    return fmt::format("unknown command '{}'", argv[1]);
  return error.what();
}

// CLI11 has no "did you mean" of its own.
std::string suggestion(const CLI::App& app, int argc, char** argv) {
  if (argc < 2) return "";
  const CLI::App* command = &app;
  std::vector<std::string> known;
  std::string wrong = argv[1];
  for (const CLI::App* sub : app.get_subcommands({})) {
    known.push_back(sub->get_name());
    if (sub->get_name() == argv[1]) command = sub;
  }
  if (command != &app) {
    known.clear();
    for (const CLI::Option* option : command->get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    wrong.clear();
    for (int i = 2; i < argc; ++i) {
      const std::string name = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
      if (name.rfind("--", 0) == 0 && std::find(known.begin(), known.end(), name) == known.end()) wrong = name;
    }
  }
  if (wrong.empty()) return "";
  const auto nearest = topology::closest(wrong, known);
  return nearest ? fmt::format(" (did you mean {}?)", *nearest) : "";
}

int report_bug(const char* what) {
  tell(fmt::format("internal error: {}\nThis is a bug in gridlock {}: please report it with the scenario.\n", what,
                   report::version()));
  return ExitCode::internal_error;
}

// A simulation in a process of its own.
int failed_worker(const whatif::WorkerFailed& error) {
  using whatif::Failure;
  if (error.failure == Failure::internal) return report_bug(error.what());
  const bool memory = error.failure == Failure::out_of_memory || error.failure == Failure::killed;
  tell(fmt::format("error: {}\n{}", error.what(),
                   memory ? "nothing was written; if memory ran out, free some and run it again\n" : ""));
  if (error.failure == Failure::invalid_scenario) return ExitCode::invalid_scenario;
  return error.failure == Failure::deadlock ? ExitCode::deadlock : ExitCode::no_resource;
}

}  // namespace

int guarded(const std::function<int()>& run) {
  try {
    return run();
  } catch (const scenario::InvalidScenario& error) {
    tell(fmt::format("{}", scenario::render(error.diagnostics, wants_colour(STDERR_FILENO))));
    return ExitCode::invalid_scenario;
  } catch (const scenario::FileError& error) {
    tell(fmt::format("error: {}\n", error.what()));
    return ExitCode::file_error;
  } catch (const topology::SpecError& error) {
    tell(fmt::format("error: {}: {}\n{}", error.path, error.what(), error.help.empty() ? "" : "help: " + error.help + "\n"));
    return ExitCode::invalid_scenario;
  } catch (const UsageError& error) {
    tell(fmt::format("error: {}\n", error.what()));
    return ExitCode::usage;
  } catch (const Interrupted& error) {
    tell(fmt::format("{}\n", error.what()));
    return ExitCode::interrupted;
  } catch (const engine::Deadlock& error) {
    tell(fmt::format("error: the simulated step deadlocks: {}\n", error.what()));
    for (std::size_t i = 0; i < error.blocked.size() && i < 20; ++i) tell(fmt::format("  {}\n", error.blocked[i]));
    return ExitCode::deadlock;
  } catch (const whatif::WorkerFailed& error) {
    return failed_worker(error);
  } catch (const std::bad_alloc&) {
    tell("error: not enough memory on this machine\n");
    return ExitCode::no_resource;
  } catch (const std::exception& error) {
    return report_bug(error.what());
  }
}

int run_app(int argc, char** argv) {
  CLI::App app{
      "Gridlock simulates GPU clusters: how long a training step takes, which GPUs wait, for what, and which link makes them "
      "wait."};
  app.name("gridlock");
  app.set_version_flag("--version", std::string("gridlock ") + report::version());
  app.require_subcommand(1);
  app.footer("Exit codes: 0 done, 1 an expectation failed, 2 usage, 3 invalid scenario, 4 file, 5 deadlock, 70 internal error.");
  Run chosen;
  add_run(app, chosen);
  add_sweep(app, chosen);
  add_topology(app, chosen);
  add_collective(app, chosen);
  add_validate(app, chosen);
  add_calibrate(app, chosen);
  add_schema(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    tell(fmt::format("error: {}{}\nrun `gridlock --help` or `gridlock COMMAND --help`\n", message_of(app, error, argc, argv),
                     suggestion(app, argc, argv)));
    return ExitCode::usage;
  }
  return guarded(chosen);
}

}  // namespace gridlock::cli

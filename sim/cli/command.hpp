// A sub-command: its options on the command line, and what it does. One file a command; app.cpp lists them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gridlock::cli {

// Options that every command has.
struct Common {
  bool json = false;  // replaces the summary on stdout
  std::string output;
  std::vector<std::string> set;
  std::optional<std::int64_t> seed;
  bool quiet = false;
  int verbose = 0;

  // --set and --seed as overrides of the scenario, in order.
  std::vector<std::string> overrides() const;
};

// A failure of the command line itself (exit code 2).
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Ctrl-C; what() says what is kept (exit code 130).
struct Interrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Refuses an empty file name.
extern const CLI::Validator file_name;

// An override that names another profile, a name or a path.
std::string profile_override(const std::string& profile);

// Adds the common options to `command`.
void add_common_options(CLI::App& command, Common& common);

// Adds the sub-command to `app`; sets `run` when the user chose it. `run` returns the exit code.
using Run = std::function<int()>;
void add_run(CLI::App& app, Run& run);
void add_sweep(CLI::App& app, Run& run);
void add_topology(CLI::App& app, Run& run);
void add_collective(CLI::App& app, Run& run);
void add_validate(CLI::App& app, Run& run);
void add_calibrate(CLI::App& app, Run& run);
void add_schema(CLI::App& app, Run& run);

// Prints `text` on stdout, and writes `json` to the -o file when there is one. With --json stdout gets the JSON instead.
// Throws scenario::FileError when the file cannot be written.
void deliver(const Common& common, const std::string& text, const std::string& json);

// Prints on stdout. Throws scenario::FileError when it cannot be written.
void deliver_text(const std::string& text);
// The file part of deliver(); nothing without -o.
void write_output(const Common& common, const std::string& text);

// Prints on stderr; an unwritable stderr is no reason to fail.
void tell(const std::string& text);

// True when the file's stream is a terminal that wants colours (NO_COLOR unset).
bool wants_colour(int file_descriptor);

}  // namespace gridlock::cli

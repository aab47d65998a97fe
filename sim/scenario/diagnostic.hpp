// What is wrong, where, and what to write instead. Semantic mistakes are collected (at most 20) and shown together.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/source.hpp"

namespace gridlock::scenario {

enum class Severity : std::uint8_t { error, warning };

// Self-contained: keeps the offending line, so that it can be printed when the file is gone.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;           // "unknown-key": stable, for tools
  std::string source;         // file, or "--set"
  int line = 0, column = 0;   // 1-based, column in bytes; 0 = the file as a whole
  int length = 1;             // bytes to underline
  std::string message, help;  // help may be empty
  std::string excerpt;        // the line
};

Diagnostic diagnose(Severity severity, std::string code, const Mark& mark, std::string message, std::string help = {});

// error: unknown key 'nick'
//   --> a.yaml:7:5
//    |
//  7 |     nick: 400Gbps
//    |     ^^^^
//    = help: did you mean 'nic'?
std::string render(const Diagnostic& diagnostic, bool colour = false);

// All of them, and a last line "2 errors, 1 warning".
std::string render(const std::vector<Diagnostic>& diagnostics, bool colour = false);

// One line: "a.yaml:7:5: unknown key 'nick' (did you mean 'nic'?)".
std::string one_line(const Diagnostic& diagnostic);

// The scenario says something impossible. Exit code 3. what() is the rendering without colour.
struct InvalidScenario : std::runtime_error {
  explicit InvalidScenario(std::vector<Diagnostic> found);
  explicit InvalidScenario(Diagnostic one) : InvalidScenario(std::vector<Diagnostic>{std::move(one)}) {}
  std::vector<Diagnostic> diagnostics;
};

// A file named on the command line is missing, a directory or unreadable. Exit code 4.
struct FileError : std::runtime_error {
  FileError(std::string file, const std::string& message) : std::runtime_error(message), path(std::move(file)) {}
  std::string path;
};

class Diagnostics {
 public:
  static constexpr std::size_t max_errors = 20;

  // The 20th error throws InvalidScenario: what follows would mostly be its consequences.
  void add(Diagnostic diagnostic);
  void error(std::string code, const Mark& mark, std::string message, std::string help = {});
  void warning(std::string code, const Mark& mark, std::string message, std::string help = {});
  bool has_errors() const { return errors_ > 0; }
  std::size_t error_count() const { return errors_; }
  const std::vector<Diagnostic>& all() const { return all_; }
  void throw_if_errors() const;

 private:
  std::vector<Diagnostic> all_;
  std::size_t errors_ = 0;
};

}  // namespace gridlock::scenario

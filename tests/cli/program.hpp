// Runs the gridlock program as a user would.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace gridlock::test {

struct Outcome {
  int exit_code = -1;
  std::string out, err;
};

inline std::string read_text(const std::string& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline void write_text(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

inline std::string temporary(const std::string& name) { return "/tmp/gridlock_test_" + std::to_string(getpid()) + "_" + name; }

// `command` as typed in a shell, in the source folder.
inline Outcome run_shell(const std::string& command) {
  const std::string out = temporary("out"), err = temporary("err");
  const std::string whole = "cd " GRIDLOCK_SOURCE_DIR " && " + command + " >" + out + " 2>" + err + " </dev/null";
  const int status = std::system(whole.c_str());
  Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_text(out), read_text(err)};
  std::remove(out.c_str());
  std::remove(err.c_str());
  return outcome;
}

inline Outcome gridlock(const std::string& arguments) { return run_shell(GRIDLOCK_BINARY " " + arguments); }

inline nlohmann::json run_json(const std::string& arguments) {
  const Outcome outcome = gridlock("run --json " + arguments);
  return outcome.exit_code == 0 ? nlohmann::json::parse(outcome.out) : nlohmann::json{{"failed", outcome.err}};
}

}  // namespace gridlock::test

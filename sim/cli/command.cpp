#include "sim/cli/command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/scenario/diagnostic.hpp"

namespace gridlock::cli {
namespace {

void write_all(std::FILE* file, const std::string& text, const std::string& name) {
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0)
    throw scenario::FileError(name, fmt::format("cannot write {}: {}", name, std::strerror(errno)));
}

}  // namespace

std::vector<std::string> Common::overrides() const {
  std::vector<std::string> all = set;
  if (seed) all.push_back(fmt::format("seed={}", *seed));
  return all;
}

// An unset shell variable is no file.
const CLI::Validator file_name(
    [](const std::string& name) { return name.empty() ? std::string("a file name is needed") : std::string(); }, "");

void add_common_options(CLI::App& command, Common& common) {
  command.add_flag("--json", common.json, "print the result as JSON instead of the summary");
  command.add_option("-o,--output", common.output, "write the JSON to this file as well")->check(file_name);
  command.add_option("--set", common.set, "change a scenario value: --set cluster.fabric.nic=200Gbps (repeatable)")
      ->allow_extra_args(false);
  command.add_option("--seed", common.seed, "seed of every random choice (default: the scenario's)")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()));
  command.add_flag("-q,--quiet", common.quiet, "no warnings in the summary, no progress");
  command.add_flag("-v,--verbose", common.verbose, "say on stderr what is being done, and when");
}

void write_output(const Common& common, const std::string& text) {
  if (common.output.empty()) return;
  const auto close = [](std::FILE* f) { std::fclose(f); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(common.output.c_str(), "w"), close);
  if (!file) throw scenario::FileError(common.output, fmt::format("cannot write {}: {}", common.output, std::strerror(errno)));
  write_all(file.get(), text, common.output);
}

void deliver(const Common& common, const std::string& text, const std::string& json) {
  write_output(common, json);
  deliver_text(common.json ? json : text);
}

void deliver_text(const std::string& text) { write_all(stdout, text, "standard output"); }

// Quoted: a path may hold what YAML takes for something else.
std::string profile_override(const std::string& profile) { return "profile=" + nlohmann::json(profile).dump(); }

void tell(const std::string& text) { std::fputs(text.c_str(), stderr); }

bool wants_colour(int file_descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  return isatty(file_descriptor) != 0 && (no_colour == nullptr || *no_colour == '\0');
}

}  // namespace gridlock::cli

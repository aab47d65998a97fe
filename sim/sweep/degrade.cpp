#include "sim/sweep/degrade.hpp"

#include <fmt/format.h>

#include "sim/sweep/number.hpp"
#include "sim/sweep/values.hpp"

namespace gridlock::sweep {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

[[noreturn]] void fail(const std::string& text) {
  throw SpecificationError(
      fmt::format("--degrade '{}': write link:PATTERN=FACTOR such as 'link:leaf3:*=0.5', link:PATTERN=down, or gpu:NUMBER=FACTOR "
                  "such as gpu:77=0.8",
                  text));
}

}  // namespace

std::string link_fault_override(const std::string& pattern, double factor) {
  return fmt::format("faults.links+={{match: {}, factor: {}}}", quoted(pattern), factor);
}

std::string degrade_override(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) fail(text);
  const std::string what = text.substr(0, equals), value = text.substr(equals + 1);
  const auto factor = value == "down" ? Number{0, ""} : split_number(value).value_or(Number{0, "?"});
  if (!factor.unit.empty()) fail(text);
  if (what.starts_with("link:") && what.size() > 5) return link_fault_override(what.substr(5), factor.value);
  if (!what.starts_with("gpu:") || what.find_first_not_of("0123456789", 4) != std::string::npos || what.size() == 4) fail(text);
  if (value == "down")
    throw SpecificationError(fmt::format(
        "--degrade '{}': a job with a GPU that is down ends; write a factor, or place its ranks on other nodes", text));
  return fmt::format("faults.slow+={{gpu: {}, factor: {}}}", what.substr(4), factor.value);
}

}  // namespace gridlock::sweep

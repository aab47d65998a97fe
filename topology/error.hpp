// A specification that cannot be built. `path` is the dotted scenario key at fault ("cluster.fabric.leaf_radix"), so that
// the caller can point at its line; `help` says a way out.
#pragma once

#include <stdexcept>
#include <string>

namespace gridlock::topology {

struct SpecError : std::runtime_error {
  SpecError(std::string at, const std::string& message, std::string way_out = {})
      : std::runtime_error(message), path(std::move(at)), help(std::move(way_out)) {}
  std::string path, help;
};

}  // namespace gridlock::topology

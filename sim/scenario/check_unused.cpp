// Settings that nothing reads: a warning each, so that nobody believes they had an effect.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "sim/scenario/checks.hpp"

namespace gridlock::scenario {
namespace {

using topology::FabricKind;

void warn_about_fabric(const Scenario& s, Diagnostics& out) {
  const topology::FabricSpec& fabric = s.cluster.fabric;
  const auto warn = [&](const std::vector<std::string>& keys, const std::string& why) {
    for (const std::string& key : keys)
      if (const std::string path = "cluster.fabric." + key; s.places->has(path))
        out.warning("unused-key", s.places->at(path), fmt::format("{} has no effect: {}", key, why));
  };
  if (fabric.queue_pairs > 1 && fabric.routing != topology::RoutingKind::ecmp && fabric.queue_pair_bytes_per_s == 0)
    warn({"queue_pairs"}, "only ecmp hashes them one by one, and queue_pair_rate is not set");
  const std::vector<std::string> tree = {"tiers", "leaf_radix", "spine_radix", "core_radix", "scalable_unit", "oversubscription"};
  if (fabric.kind == FabricKind::none) return warn(tree, "fabric kind none has no switches");
  if (fabric.kind == FabricKind::custom) {
    warn(tree, "the edges of a custom fabric say everything");
    return warn({"pxn"}, "a custom fabric has no rails to cross");
  }
  if (fabric.kind == FabricKind::rail_only)
    return warn({"oversubscription", "spine_radix", "core_radix"}, "rail_only has no switch above the leaves");
  if (fabric.tiers == 2) warn({"core_radix", "oversubscription.spine"}, "two tiers have no switch above the spines");
}

}  // namespace

void warn_about_unused(const Scenario& s, Diagnostics& out) {
  warn_about_fabric(s, out);
  if (s.optimizer.overlap_parameters && s.optimizer.zero == 0 && s.places->has("optimizer.overlap_parameters")) {
    out.warning("unused-key", s.places->at("optimizer.overlap_parameters"),
                "overlap_parameters has no effect: with zero: 0 every rank has all parameters", "write zero: 1");
  }
}

}  // namespace gridlock::scenario

#include "sim/scenario/references.hpp"

#include <fmt/format.h>

namespace gridlock::scenario {
namespace {

constexpr int longest_chain = 8;  // of bases; longer ones are circles

constexpr std::pair<std::string_view, std::string_view> reference_keys[] = {
    {"cluster.node", "hardware"}, {"cluster.node.gpu", "hardware"}, {"profile", "profiles"}, {"model", "models"}};

// `changes` laid over `base`: maps merge, everything else replaces. A map with a base of its own replaces too.
Node merged(Node base, const Node& changes) {
  base.mark = changes.mark;
  for (const Entry& change : changes.entries) {
    if (change.key == "base") continue;
    Entry* old = base.find(change.key);
    if (!old) {
      base.entries.push_back(change);
    } else if (old->value.is_map() && change.value.is_map() && !change.value.find("base")) {
      old->value = merged(std::move(old->value), change.value);
      old->key_mark = change.key_mark;
    } else {
      *old = change;
    }
  }
  return base;
}

void resolve(Node& node, const std::string& path, Catalogue& catalogue, int depth) {
  const std::string_view folder = reference_folder(path);
  if (!folder.empty()) {
    const Entry* base = node.find("base");
    const Node reference = base ? base->value : node;
    if (base && !reference.is_scalar()) {
      throw InvalidScenario(diagnose(Severity::error, "wrong-type", base->key_mark, "base is not a name",
                                     fmt::format("write the name of a file in {}/", folder)));
    }
    if (reference.is_scalar()) {
      if (depth > longest_chain) {
        throw InvalidScenario(diagnose(Severity::error, "circular-reference", reference.mark,
                                       fmt::format("'{}' is based on itself", reference.text)));
      }
      Node loaded = catalogue.load(reference, folder);
      resolve(loaded, path, catalogue, depth + 1);
      node = base ? merged(std::move(loaded), node) : std::move(loaded);
    }
  }
  for (Entry& entry : node.entries) resolve(entry.value, path.empty() ? entry.key : path + "." + entry.key, catalogue, depth);
}

}  // namespace

std::string_view reference_folder(std::string_view path) {
  for (const auto& [key, folder] : reference_keys) {
    if (key == path) return folder;
  }
  return {};
}

void resolve_references(Node& node, const std::string& path, Catalogue& catalogue) { resolve(node, path, catalogue, 0); }

}  // namespace gridlock::scenario

#include "sim/scenario/references.hpp"

#include <fmt/format.h>

namespace gridlock::scenario {
namespace {

constexpr int longest_chain = 8;  // of bases; longer ones are circles

constexpr std::pair<std::string_view, std::string_view> reference_keys[] = {
    {"cluster.node", "hardware"}, {"cluster.node.gpu", "hardware"}, {"profile", "profiles"}, {"model", "models"}};

std::string inside(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

// `changes` laid over `base`: maps merge, everything else replaces. A map with a base of its own replaces too; one laid over
// a reference changes keys of what that names.
Node merged(Node base, const Node& changes, const std::string& path) {
  base.mark = changes.mark;
  for (const Entry& change : changes.entries) {
    if (change.key == "base") continue;
    const std::string here = inside(path, change.key);
    Entry* old = base.find(change.key);
    const bool changes_inside = change.value.is_map() && !change.value.find("base");
    if (!old) {
      base.entries.push_back(change);
    } else if (old->value.is_map() && changes_inside) {
      old->value = merged(std::move(old->value), change.value, here);
      old->key_mark = change.key_mark;
    } else if (old->value.is_scalar() && changes_inside && !reference_folder(here).empty()) {
      Entry replaced = change;
      replaced.value.entries.push_back({"base", old->key_mark, old->value});
      *old = std::move(replaced);
    } else {
      *old = change;
    }
  }
  return base;
}

[[noreturn]] void fail_base(const Entry& base, std::string help) {
  throw InvalidScenario(diagnose(Severity::error, "wrong-type", base.key_mark, "base is not a name", std::move(help)));
}

void check_depth(const Node& reference, int depth) {
  if (depth <= longest_chain) return;
  throw InvalidScenario(diagnose(Severity::error, "circular-reference", reference.mark,
                                 fmt::format("'{}' is based on itself", reference.text),
                                 "start from a file that does not lead back here"));
}

void resolve_base_at(Node& root, Catalogue& catalogue, int depth) {
  const Entry* base = root.find("base");
  if (!base) return;
  const Node reference = base->value;
  if (!reference.is_scalar()) fail_base(*base, "write the path of a scenario file");
  check_depth(reference, depth);
  Node loaded = catalogue.load(reference, "");
  resolve_base_at(loaded, catalogue, depth + 1);
  root = merged(std::move(loaded), root, "");
}

// The node itself; references inside it are left.
void resolve_here(Node& node, const std::string& path, Catalogue& catalogue, int depth) {
  const std::string_view folder = reference_folder(path);
  const Entry* base = node.find("base");
  const Node reference = base ? base->value : node;
  if (base && !reference.is_scalar()) fail_base(*base, fmt::format("write the name of a file in {}/", folder));
  if (!reference.is_scalar()) return;
  check_depth(reference, depth);
  Node loaded = catalogue.load(reference, folder);
  resolve_here(loaded, path, catalogue, depth + 1);
  node = base ? merged(std::move(loaded), node, path) : std::move(loaded);
}

}  // namespace

void resolve_base(Node& root, Catalogue& catalogue) { resolve_base_at(root, catalogue, 0); }

std::string_view reference_folder(std::string_view path) {
  for (const auto& [key, folder] : reference_keys) {
    if (key == path) return folder;
  }
  return {};
}

void resolve_references(Node& node, const std::string& path, Catalogue& catalogue, Diagnostics& out) {
  try {
    if (!reference_folder(path).empty()) resolve_here(node, path, catalogue, 0);
    // A placement that is neither a word nor a list names a file of nodes in rank order.
    if (path == "cluster.placement" && node.is_scalar() && node.text.find_first_of("./") != std::string::npos)
      node = catalogue.load_lines(node);
  } catch (const InvalidScenario& e) {
    for (const Diagnostic& d : e.diagnostics) out.add(d);
    node.failed = true;
    return;
  }
  for (Entry& entry : node.entries) resolve_references(entry.value, inside(path, entry.key), catalogue, out);
}

}  // namespace gridlock::scenario

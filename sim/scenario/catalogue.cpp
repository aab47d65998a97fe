#include "sim/scenario/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "sim/scenario/hf_config.hpp"
#include "topology/text.hpp"

namespace gridlock::scenario {
namespace {

namespace fs = std::filesystem;

bool is_path(std::string_view reference) {
  const auto ends_with = [&](std::string_view end) { return reference.size() > end.size() && reference.ends_with(end); };
  return reference.find('/') != std::string_view::npos || ends_with(".yaml") || ends_with(".yml") || ends_with(".json");
}

fs::path folder_of(const Mark& from) {
  if (!from.source || from.source->path == override_source) return {};
  return fs::path(from.source->path).parent_path();
}

[[noreturn]] void fail(const Node& at, std::string message, std::string help) {
  throw InvalidScenario(diagnose(Severity::error, "unknown-reference", at.mark, std::move(message), std::move(help)));
}

std::string singular(std::string_view folder) {
  if (folder.empty()) return "scenario";
  return folder == "hardware" ? "hardware" : std::string(folder.substr(0, folder.size() - 1));
}

std::string find_file(const Node& reference, std::string_view folder) {
  const std::string& name = reference.text;
  if (is_path(name) || folder.empty()) {
    const fs::path path = folder_of(reference.mark) / name;
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path.string();
    fail(reference, fmt::format("cannot find the file '{}'", path.string()), "paths are relative to the file that names them");
  }
  for (const std::string& dir : catalogue_folders(reference.mark, folder)) {
    const fs::path path = fs::path(dir) / (name + ".yaml");
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path.string();
  }
  const std::vector<std::string> names = catalogue_names(reference.mark, folder);
  const std::optional<std::string> near = topology::closest(name, names);
  const std::string known = names.empty() ? "none found" : fmt::format("{}", fmt::join(names, ", "));
  fail(reference, fmt::format("unknown {} '{}'", singular(folder), name),
       near ? fmt::format("did you mean '{}'? known: {}", *near, known) : fmt::format("known: {}", known));
}

// A file that a scenario names is part of the scenario: not being readable makes it invalid.
SourcePtr read_referenced(const Node& reference, const std::string& path) {
  try {
    return read_source(path);
  } catch (const FileError& e) {
    fail(reference, e.what(), "name a readable file");
  }
}

}  // namespace

std::vector<std::string> catalogue_folders(const Mark& from, std::string_view folder) {
  std::vector<std::string> out;
  const fs::path own = folder_of(from);
  out.push_back((own / folder).string());
  // A catalogue file refers to its siblings: hardware/hgx-h100.yaml to hardware/h100-sxm.yaml.
  if (own.filename() == folder) out.push_back(own.string());
  if (const char* data = std::getenv("GRIDLOCK_DATA"); data && *data) out.push_back((fs::path(data) / folder).string());
  out.push_back((fs::path(GRIDLOCK_DATA_DIR) / folder).string());
  out.push_back((fs::path(GRIDLOCK_INSTALL_DATA_DIR) / folder).string());
  return out;
}

std::vector<std::string> catalogue_names(const Mark& from, std::string_view folder) {
  std::set<std::string> names;
  for (const std::string& dir : catalogue_folders(from, folder)) {
    std::error_code error;
    for (const fs::directory_entry& file : fs::directory_iterator(dir, error)) {
      if (file.path().extension() == ".yaml") names.insert(file.path().stem().string());
    }
  }
  return {names.begin(), names.end()};
}

Node Catalogue::load(const Node& reference, std::string_view folder) {
  const std::string path = find_file(reference, folder);
  const bool json = fs::path(path).extension() == ".json";
  const SourcePtr source = read_referenced(reference, path);
  add_file(source);
  Node root = parse_yaml(source, json);
  if (!root.is_map()) {
    throw InvalidScenario(diagnose(Severity::error, "wrong-type", {source, 0, 0, 1},
                                   fmt::format("a {} file holds a map, not {}", singular(folder), kind_name(root.kind))));
  }
  if (json && folder == "models") root = model_of_hf_config(root);
  if (!folder.empty() && !root.find("name")) {  // also where a base brings a name: this file is something else
    Node name;
    name.kind = Node::Kind::scalar;
    name.mark = {source, 0, 0, 1};
    const fs::path file = fs::absolute(path);
    // Every model's file is called config.json on the hub; its folder has the name.
    name.text = (file.filename() == "config.json" ? file.parent_path().filename() : file.stem()).string();
    name.quoted = true;
    root.entries.insert(root.entries.begin(), Entry{"name", name.mark, name});
  }
  return root;
}

Node Catalogue::load_lines(const Node& reference) {
  const SourcePtr source = read_referenced(reference, find_file(reference, ""));
  add_file(source);
  Node list;
  list.kind = Node::Kind::sequence;
  list.mark = reference.mark;
  std::string_view rest = source->text;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, std::min(end, rest.find('#')));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) continue;
    line = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
    Node item;
    item.kind = Node::Kind::scalar;
    item.text = line;
    item.mark = {source, number, static_cast<int>(first) + 1, static_cast<int>(line.size())};
    list.items.push_back(std::move(item));
  }
  return list;
}

void Catalogue::add_file(const SourcePtr& source) {
  const bool known = std::any_of(files_.begin(), files_.end(), [&](const SourcePtr& f) { return f->path == source->path; });
  if (!known) files_.push_back(source);
}

}  // namespace gridlock::scenario

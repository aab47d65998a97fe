// Files that scenarios refer to: hardware/, models/, profiles/. A reference is a name ("hgx-h100") or a path ("my/node.yaml").
//
// A name is looked for next to the file that refers to it, then in $GRIDLOCK_DATA, in the source tree's scenarios/ and in the
// installed one; a path is relative to the file that refers to it (on the command line: to the current directory).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/source.hpp"
#include "sim/scenario/yaml.hpp"

namespace gridlock::scenario {

inline constexpr std::string_view override_source = "--set";  // Source::path of what comes from the command line

// Folders that are searched for names, first one first.
std::vector<std::string> catalogue_folders(const Mark& from, std::string_view folder);

// All names in them, sorted, each once.
std::vector<std::string> catalogue_names(const Mark& from, std::string_view folder);

class Catalogue {
 public:
  // The map that `reference` (a scalar) names. Throws InvalidScenario at the reference when there is no such file, and in the
  // file when the mistake is there. An empty folder: a whole scenario, by its path. A model may be a Hugging Face config.json.
  Node load(const Node& reference, std::string_view folder);

  // The lines of the text file that `reference` (a path) names, as a list; empty lines and what follows a # are left out.
  Node load_lines(const Node& reference);

  const std::vector<SourcePtr>& files() const { return files_; }  // all read so far, each once
  void add_file(const SourcePtr& source);

 private:
  std::vector<SourcePtr> files_;
};

}  // namespace gridlock::scenario

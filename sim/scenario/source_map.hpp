// Where each key of the resolved document stands, by dotted path: "cluster.fabric.nic", "faults.slow.0.gpu".
#pragma once

#include <map>
#include <string>

#include "sim/scenario/yaml.hpp"

namespace gridlock::scenario {

class SourceMap {
 public:
  SourceMap() = default;
  explicit SourceMap(const Node& root);

  // The value, where it is a single one; else the key. Of a path that is not in the file: its nearest parent that is, at
  // last the file as a whole. "edges[3]" and "edges.3" are the same.
  Mark at(std::string path) const;
  bool has(const std::string& path) const { return places_.contains(path); }

 private:
  void add(const Node& node, const std::string& path);

  Mark file_;
  std::map<std::string, Mark> places_;
};

}  // namespace gridlock::scenario

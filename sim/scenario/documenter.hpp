// The declarations of fields.hpp as data, for the JSON Schema and the reference table.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/fields.hpp"

namespace gridlock::scenario {

struct FieldDoc {
  enum class Shape : std::uint8_t { value, map, list };
  std::string key, help;
  std::string type;    // for people: "whole number", "time, such as 1.5us"
  std::string absent;  // default as people write it; "required"; "none"
  bool needed = false;
  Shape shape = Shape::value;
  nlohmann::ordered_json schema;  // of a value; of a map or list, null
  std::string folder;             // of a reference: where names are looked for
  std::vector<FieldDoc> inner;    // of a map; of a list, one element
};

std::vector<FieldDoc> document(const Describe& describe);

}  // namespace gridlock::scenario

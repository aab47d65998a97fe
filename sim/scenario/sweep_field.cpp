// Keys of `sweep:`. Paths and values are only read here: sim/sweep checks what they mean.
#include <fmt/format.h>

#include "sim/scenario/declarations.hpp"
#include "sim/scenario/sweep_block.hpp"

namespace gridlock::scenario {
namespace {

using SweptAxis = SweepBlock::Axis;

// "50..1600Gbps:32", or a list of values.
bool read_values(const Node& node, std::vector<std::string>& values, ReadErrors& errors) {
  if (node.is_scalar() && !node.text.empty()) {
    values.push_back(node.text);
    return true;
  }
  for (const Node& item : node.items) {
    if (!item.is_scalar()) {
      errors.error(item, fmt::format("{} is no single value", shown(item)));
      return false;
    }
    values.push_back(item.text);
  }
  if (values.empty()) errors.error(node, fmt::format("{} is no range and no list", shown(node)), "write A..B:N, or [a, b, c]");
  return !values.empty();
}

bool read_columns(const Node& node, SweptAxis& axis, ReadErrors& errors) {
  if (!node.is_map() || node.entries.empty()) {
    errors.error(node, fmt::format("{} is no map of paths", shown(node)), "write cluster.fabric.nic: 50..1600Gbps:32");
    return false;
  }
  for (const Entry& entry : node.entries) {
    std::vector<std::string> values;
    if (!read_values(entry.value, values, errors)) return false;
    axis.columns.emplace_back(entry.key, std::move(values));
  }
  return true;
}

const nlohmann::ordered_json values_schema = {
    {"anyOf", {{{"type", {"string", "number"}}}, {{"type", "array"}, {"items", {{"type", {"string", "number", "boolean"}}}}}}}};
const nlohmann::ordered_json columns_schema = {{"type", "object"}, {"additionalProperties", values_schema}};

// The block is never written (see describe(Fields&, Scenario&)).
nlohmann::ordered_json nothing() { return nullptr; }

}  // namespace

void describe(Fields& f, SweepBlock& sweep) {
  Custom vary;
  vary.type = "map of paths to a range such as log:50..1600Gbps:11 or a list; several make a grid";
  vary.schema = columns_schema;
  vary.read = [&sweep](const Node& node, ReadErrors& errors) {
    SweptAxis all;
    if (!read_columns(node, all, errors)) return;
    for (auto& column : all.columns) sweep.axes.push_back({{std::move(column)}});
  };
  vary.write = nothing;
  f.custom({"vary", "each on an axis of its own", "none"}, vary, false);

  Custom zip;
  zip.type = "list of maps of paths to values";
  zip.schema = {{"type", "array"}, {"items", columns_schema}};
  zip.read = [&sweep](const Node& node, ReadErrors& errors) {
    if (!node.is_sequence())
      return errors.error(node, fmt::format("{} is no list", shown(node)), "write `- {path: values, ...}` lines");
    for (const Node& item : node.items) {
      SweptAxis axis;
      if (!read_columns(item, axis, errors)) return;
      sweep.axes.push_back(std::move(axis));
    }
  };
  zip.write = nothing;
  f.custom({"zip", "values that change together, an axis for each map", "none"}, zip, false);
}

}  // namespace gridlock::scenario

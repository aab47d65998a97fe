// JSON Schema (draft 7, what editors understand) and the Markdown reference, from the declarations.
#include <fmt/format.h>

#include "sim/scenario/declarations.hpp"
#include "sim/scenario/documenter.hpp"
#include "sim/scenario/load.hpp"
#include "sim/scenario/matmul.hpp"

namespace gridlock::scenario {
namespace {

using Json = nlohmann::ordered_json;

std::vector<FieldDoc> whole_scenario() {
  Scenario sample;
  return document([&](Fields& f) { describe(f, sample); });
}

std::vector<FieldDoc> whole_matmul() {
  Matmul sample;
  return document([&](Fields& f) { describe(f, sample); });
}

// What a key must hold. In a map with a `base` the other keys come from there, at any depth: nothing is required of it.
enum class Mode : std::uint8_t { complete, changes };

Json schema_of(const std::vector<FieldDoc>& fields, Mode mode, bool base);

// A map that may have a `base`.
Json schema_with_base(const std::vector<FieldDoc>& fields) {
  return {{"if", {{"type", "object"}, {"required", Json::array({"base"})}}},
          {"then", schema_of(fields, Mode::changes, true)},
          {"else", schema_of(fields, Mode::complete, false)}};
}

Json schema_of(const FieldDoc& field, Mode mode) {
  Json out;
  if (field.shape == FieldDoc::Shape::value) {
    out = field.schema;
  } else if (field.shape == FieldDoc::Shape::list) {
    out = {{"type", "array"}, {"items", schema_of(field.inner, Mode::complete, false)}};
  } else if (field.folder.empty()) {
    out = schema_of(field.inner, mode, false);
  } else {
    Json map = mode == Mode::complete ? schema_with_base(field.inner) : schema_of(field.inner, mode, true);
    out = {{"anyOf", Json::array({Json{{"type", "string"}}, std::move(map)})}};
  }
  const bool plain = field.absent == "required" || field.absent.empty();
  out["description"] = plain ? field.help : fmt::format("{} (default: {})", field.help, field.absent);
  return out;
}

Json schema_of(const std::vector<FieldDoc>& fields, Mode mode, bool base) {
  Json properties = Json::object(), needed = Json::array();
  if (base) properties["base"] = {{"type", "string"}, {"description", "name or path of the file whose keys are changed here"}};
  for (const FieldDoc& field : fields) {
    properties[field.key] = schema_of(field, mode);
    if (field.needed && mode == Mode::complete) needed.push_back(field.key);
  }
  Json out{{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
  if (!needed.empty()) out["required"] = std::move(needed);
  return out;
}

std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

void add_table(std::string& out, const std::vector<FieldDoc>& fields, const std::string& path, const std::string& heading) {
  out += fmt::format("\n## {}\n\n| key | value | default | meaning |\n|---|---|---|---|\n", heading);
  for (const FieldDoc& f : fields)
    out += fmt::format("| `{}` | {} | {} | {} |\n", f.key, escaped(f.type), escaped(f.absent), escaped(f.help));
  for (const FieldDoc& f : fields) {
    if (f.inner.empty()) continue;
    const std::string inner = path.empty() ? f.key : path + "." + f.key;
    add_table(out, f.inner, inner, fmt::format("`{}`{}", inner, f.shape == FieldDoc::Shape::list ? " (each element)" : ""));
  }
}

}  // namespace

std::string scenario_schema() {
  Json out{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Gridlock scenario"}};
  // By what it says it is, or, where a base says so, by the key that nothing else has.
  const Json says_matmul{{"required", Json::array({"scenario"})}, {"properties", {{"scenario", {{"const", "matmul"}}}}}};
  const Json has_products{{"required", Json::array({"products"})}};
  out["type"] = "object";
  out["if"] = {{"anyOf", Json::array({says_matmul, has_products})}};
  out["then"] = schema_with_base(whole_matmul());
  out["else"] = schema_with_base(whole_scenario());
  return out.dump(2) + "\n";
}

std::string scenario_reference_markdown() {
  std::string out =
      "# Scenario reference\n\n"
      "Generated from the declarations that the loader reads by (`gridlock schema --markdown`).\n\n"
      "Every quantity carries its unit: network ports in bits (`400Gbps`), memory and NVLink in bytes (`450GBps`), `80GB` = 80e9 "
      "bytes,\n"
      "`80GiB` = 80 x 2^30 bytes, times as `14s`, `2ms`, `1.5us`, counts as `40M`. `cluster.node`, `cluster.node.gpu`, `profile` "
      "and `model`\n"
      "take a name, a path, a map, or a map with `base: NAME` and the keys to change. A whole scenario may start from another "
      "with\n"
      "`base: PATH` at its top.\n";
  add_table(out, whole_scenario(), "", "Top level");
  return out;
}

}  // namespace gridlock::scenario

#include "sim/scenario/profile_errors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/scenario/profile_parameters.hpp"
#include "topology/text.hpp"

namespace gridlock::scenario {
namespace {

using Json = nlohmann::ordered_json;

const ProfileParameter* find(const std::vector<ProfileParameter>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const ProfileParameter& p) { return p.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string advice(const std::vector<ProfileParameter>& all, const std::string& name) {
  std::vector<std::string> names;
  for (const ProfileParameter& p : all) names.push_back(p.name);
  const auto near = topology::closest(name, names);
  return near ? fmt::format("did you mean '{}'?", *near) : "name a quantity of this profile, such as gemm.ceiling";
}

void read_errors(const Node& node, const std::vector<ProfileParameter>& all, std::map<std::string, double>& out,
                 ReadErrors& errors) {
  if (!node.is_map()) return errors.error(node, fmt::format("{} is not a map", shown(node)), "write gemm.ceiling: 0.01");
  for (const Entry& entry : node.entries) {
    const ProfileParameter* parameter = find(all, entry.key);
    if (!parameter) {
      errors.error(entry.value, fmt::format("there is no quantity '{}'", entry.key), advice(all, entry.key));
      continue;
    }
    if (!entry.value.is_scalar()) {
      errors.error(entry.value, fmt::format("{} is not a single value", shown(entry.value)), "write one standard deviation");
      continue;
    }
    const auto parsed = parse_quantity(entry.value.text, parameter->unit);
    if (const auto* wrong = std::get_if<QuantityError>(&parsed)) {
      errors.error(entry.value, fmt::format("{}: {}", entry.key, wrong->message), wrong->help);
    } else if (const double value = std::get<Quantity>(parsed).value; value > 0) {
      out[entry.key] = value;
    } else {
      errors.error(entry.value, fmt::format("{} is {}", entry.key, entry.value.text),
                   "a standard error is more than zero: leave out what is exact");
    }
  }
}

// In the unit of each quantity, as it is read.
Json write_errors(const std::vector<ProfileParameter>& all, const std::map<std::string, double>& values) {
  Json json;  // null when there is nothing to say
  for (const auto& [name, value] : values) {
    const ProfileParameter* parameter = find(all, name);
    if (parameter->unit == Unit::ratio) {
      json[name] = value;
    } else {
      json[name] = format_quantity(value, parameter->unit);
    }
  }
  return json;
}

Custom errors_type(model::Profile& profile) {
  Custom type;
  type.type = "map of quantities by name, such as gemm.ceiling: 0.01";
  type.schema = {{"type", "object"}, {"additionalProperties", {{"type", Json::array({"string", "number"})}}}};
  type.read = [&profile](const Node& node, ReadErrors& errors) {
    read_errors(node, profile_parameters(profile), profile.uncertainty.standard_errors, errors);
  };
  type.write = [&profile] { return write_errors(profile_parameters(profile), profile.uncertainty.standard_errors); };
  return type;
}

Custom provenance_type(std::map<std::string, std::string>& facts) {
  Custom type;
  type.type = "map of text";
  type.schema = {{"type", "object"}, {"additionalProperties", {{"type", Json::array({"string", "number", "boolean"})}}}};
  type.read = [&facts](const Node& node, ReadErrors& errors) {
    if (!node.is_map()) return errors.error(node, fmt::format("{} is not a map", shown(node)), "write device: NAME");
    for (const Entry& entry : node.entries) {
      if (entry.value.is_scalar()) {
        facts[entry.key] = entry.value.text;
      } else {
        errors.error(entry.value, fmt::format("{} is not a single value", entry.key), "write text");
      }
    }
  };
  type.write = [&facts] { return facts.empty() ? Json() : Json(facts); };
  return type;
}

}  // namespace

void describe_provenance(Fields& f, model::Profile& profile) {
  f.custom({"standard_errors", "one standard deviation of fitted quantities; a run then prints its own", "none: exact"},
           errors_type(profile), false);
  f.list<model::Uncertainty::Correlation>({"correlations", "between their errors"}, profile.uncertainty.correlations,
                                          [](Fields& inner, model::Uncertainty::Correlation& c) {
                                            inner.text({"a", "a name in standard_errors"}, c.a, required);
                                            inner.text({"b", "another"}, c.b, required);
                                            inner.quantity({"r", "coefficient"}, c.r, Unit::ratio, required, {-1, 1});
                                          });
  f.custom({"provenance", "of a measured profile: device, library versions, date, command", "none"},
           provenance_type(profile.provenance), false);
}

}  // namespace gridlock::scenario

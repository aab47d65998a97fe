#include "sim/sweep/header.hpp"

#include <fmt/format.h>

#include "sim/sweep/result_file.hpp"

namespace gridlock::sweep {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* schema = "gridlock.sweep/1";

// What people know the parts of a header as.
constexpr std::pair<const char*, const char*> parts[] = {
    {"schema", "it has another format"},          {"version", "it was made by another version of gridlock"},
    {"scenario", "it is of another scenario"},    {"fnv1a64", "the scenario (or --set, --seed) has changed"},
    {"axes", "it varies other values"},           {"knee_threshold", "it has another --knee"},
    {"ignore_memory", "--ignore-memory differs"}, {"scaling", "--scale or --hold differs"}};

}  // namespace

Json header_json(const Header& header) {
  Json axes = Json::array();
  for (const Axis& axis : header.axes) axes.push_back(axis_json(axis));
  return {{"schema", schema},
          {"version", header.version},
          {"scenario", header.scenario},
          {"fnv1a64", header.fnv1a64},
          {"axes", std::move(axes)},
          {"knee_threshold", header.knee_threshold},
          {"ignore_memory", header.ignore_memory},
          {"scaling", header.scaling}};
}

Header header_of_json(const Json& json) {
  if (!json.is_object() || json.value("schema", "") != schema) throw WrongFile("this is no result of a sweep");
  Header header;
  json.at("version").get_to(header.version);
  json.at("scenario").get_to(header.scenario);
  json.at("fnv1a64").get_to(header.fnv1a64);
  for (const Json& axis : json.at("axes")) header.axes.push_back(axis_of_json(axis));
  json.at("knee_threshold").get_to(header.knee_threshold);
  json.at("ignore_memory").get_to(header.ignore_memory);
  json.at("scaling").get_to(header.scaling);
  return header;
}

std::string header_difference(const Json& file, const Json& wanted) {
  if (!file.is_object() || file.value("schema", "") != schema) return "it is no result of a sweep";
  for (const auto& [key, words] : parts) {
    const Json there = file.value(key, Json()), here = wanted.at(key);
    if (there == here) continue;
    const bool short_value = !here.is_structured() && !there.is_structured();
    return short_value ? fmt::format("{} ({} there, {} here)", words, there.dump(), here.dump()) : words;
  }
  return "";
}

}  // namespace gridlock::sweep

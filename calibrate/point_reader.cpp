#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

#include "calibrate/point.hpp"

namespace gridlock::calibrate {
namespace {

using Json = nlohmann::json;

struct Position {
  const std::string& name;
  int line = 0;
};

[[noreturn]] void fail(const Position& at, const std::string& message) {
  throw PointError(fmt::format("{}:{}: {}", at.name, at.line, message));
}

template <std::size_t N>
void allow_keys(const Json& object, const std::array<std::string_view, N>& known, const Position& at) {
  for (const auto& item : object.items())
    if (std::find(known.begin(), known.end(), item.key()) == known.end())
      fail(at, fmt::format("unknown key \"{}\"; there are {}", item.key(), fmt::join(known, ", ")));
}

Json parse_object(const std::string& line, const Position& at) {
  Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) fail(at, "not a JSON object; a last line that was cut off can be removed");
  return json;
}

std::string string_in(const Json& value, const std::string& what, const Position& at) {
  if (!value.is_string()) fail(at, fmt::format("{} must be a string", what));
  return value.get<std::string>();
}

double number_in(const Json& value, const std::string& what, const Position& at) {
  if (!value.is_number() || !std::isfinite(value.get<double>())) fail(at, fmt::format("{} must be a finite number", what));
  return value.get<double>();
}

std::map<std::string, std::string> strings_in(const Json& object, const std::string& what, const Position& at) {
  if (!object.is_object()) fail(at, fmt::format("\"{}\" must be an object of strings", what));
  std::map<std::string, std::string> out;
  for (const auto& item : object.items()) out[item.key()] = string_in(item.value(), fmt::format("{}.{}", what, item.key()), at);
  return out;
}

std::map<std::string, double> numbers_in(const Json& object, const Position& at) {
  if (!object.is_object()) fail(at, "\"numbers\" must be an object of numbers");
  std::map<std::string, double> out;
  for (const auto& item : object.items()) out[item.key()] = number_in(item.value(), "numbers." + item.key(), at);
  return out;
}

std::vector<double> seconds_in(const Json& array, const Position& at) {
  if (!array.is_array()) fail(at, "\"seconds\" must be a list of numbers");
  std::vector<double> out;
  for (const Json& value : array) {
    out.push_back(number_in(value, "seconds", at));
    if (!(out.back() > 0)) fail(at, fmt::format("seconds must be positive, not {}", out.back()));
  }
  return out;
}

Provenance parse_header(const std::string& line, const Position& at) {
  const Json json = parse_object(line, at);
  allow_keys(json, std::array<std::string_view, 2>{"schema", "provenance"}, at);
  if (json.value("schema", Json()) != "gridlock.points/1") fail(at, R"(expected a header with "schema":"gridlock.points/1")");
  return json.contains("provenance") ? strings_in(json["provenance"], "provenance", at) : Provenance{};
}

Point parse_point(const std::string& line, const Position& at) {
  const Json json = parse_object(line, at);
  allow_keys(json, std::array<std::string_view, 5>{"benchmark", "labels", "numbers", "seconds", "error"}, at);
  Point point;
  if (json.contains("benchmark")) point.benchmark = string_in(json["benchmark"], "benchmark", at);
  if (point.benchmark.empty()) fail(at, "a point needs a \"benchmark\"");
  if (json.contains("labels")) point.labels = strings_in(json["labels"], "labels", at);
  if (json.contains("numbers")) point.numbers = numbers_in(json["numbers"], at);
  if (json.contains("seconds")) point.seconds = seconds_in(json["seconds"], at);
  if (json.contains("error")) point.error = string_in(json["error"], "error", at);
  if (point.seconds.empty() && point.error.empty()) fail(at, "a point needs \"seconds\", or an \"error\" that says why not");
  return point;
}

}  // namespace

PointFile read_points(std::istream& in, const std::string& name) {
  PointFile file;
  Position at{name};
  bool seen_header = false;
  for (std::string line; std::getline(in, line);) {
    ++at.line;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (seen_header) {
      file.points.push_back(parse_point(line, at));
    } else {
      file.provenance = parse_header(line, at);
      seen_header = true;
    }
  }
  if (!seen_header) fail(at, "the file is empty");
  return file;
}

PointFile read_points(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw PointError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  return read_points(in, path);
}

}  // namespace gridlock::calibrate

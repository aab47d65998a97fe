#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "calibrate/point.hpp"

namespace gridlock::calibrate {
namespace {

// JSON has no NaN: the library would write null, which no reader takes for a number.
double finite(double value) {
  if (!std::isfinite(value)) throw std::logic_error("a measured point holds a number that is not finite");
  return value;
}

// Bytes that are not UTF-8 (from a driver's message) are replaced, never thrown at whoever saves a point.
std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string header_line(const Provenance& provenance) {
  return dump({{"schema", "gridlock.points/1"}, {"provenance", provenance}});
}

std::string point_line(const Point& point) {
  nlohmann::ordered_json json{{"benchmark", point.benchmark}};
  if (!point.labels.empty()) json["labels"] = point.labels;
  for (const auto& [name, value] : point.numbers) json["numbers"][name] = finite(value);
  for (const double seconds : point.seconds) json["seconds"].push_back(finite(seconds));
  if (!point.error.empty()) json["error"] = point.error;
  return dump(json);
}

PointWriter::PointWriter(const std::string& path, const Provenance& provenance) : path_(path), file_(path) {
  if (!file_) throw PointError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
  write(header_line(provenance));
}

void PointWriter::append(const Point& point) { write(point_line(point)); }

void PointWriter::write(const std::string& line) {
  file_ << line + "\n" << std::flush;
  if (!file_) throw PointError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
}

}  // namespace gridlock::calibrate

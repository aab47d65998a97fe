#include "sim/sweep/axis.hpp"

#include <fmt/format.h>

#include "sim/sweep/number.hpp"

namespace gridlock::sweep {

std::string Axis::name() const { return fmt::format("{}", fmt::join(paths, ", ")); }

std::string Axis::value_text(std::size_t i) const { return fmt::format("{}", fmt::join(values[i], ", ")); }

int Axis::better() const {
  const std::string& path = paths.front();
  if (path.find("oversubscription") != std::string::npos) return -1;
  return unit.ends_with("bps") || unit.ends_with("Bps") || unit.ends_with("b/s") || unit.ends_with("B/s") ||
                 unit.ends_with("bit/s")
             ? +1
             : 0;
}

nlohmann::ordered_json axis_json(const Axis& axis) {
  nlohmann::ordered_json json{{"paths", axis.paths}, {"values", axis.values}};
  if (axis.numeric()) json["numbers"] = axis.numbers, json["unit"] = axis.unit, json["whole"] = axis.whole;
  return json;
}

Axis axis_of_json(const nlohmann::ordered_json& json) {
  Axis axis;
  json.at("paths").get_to(axis.paths);
  json.at("values").get_to(axis.values);
  if (json.contains("numbers"))
    json.at("numbers").get_to(axis.numbers), json.at("unit").get_to(axis.unit), json.at("whole").get_to(axis.whole);
  return axis;
}

void recognise_numbers(Axis& axis) {
  std::vector<Number> numbers;
  for (const std::vector<std::string>& value : axis.values) {
    const auto number = split_number(value.front());
    if (!number) return;
    numbers.push_back(*number);
  }
  const std::string unit = numbers.front().unit;
  for (const Number& number : numbers) {
    const auto same = in_unit(number, unit);
    if (!same) {
      axis.numbers.clear();
      return;
    }
    axis.numbers.push_back(*same);
  }
  axis.unit = unit;
}

}  // namespace gridlock::sweep

#include "sim/sweep/axis.hpp"

#include <fmt/format.h>

#include "sim/sweep/number.hpp"

namespace gridlock::sweep {

namespace {

// +1: more of this value is more bandwidth; -1: less is.
int bandwidth_sense(const std::string& path, const std::string& unit) {
  if (path.find("oversubscription") != std::string::npos) return -1;
  return unit.ends_with("bps") || unit.ends_with("Bps") || unit.ends_with("b/s") || unit.ends_with("B/s") ||
                 unit.ends_with("bit/s")
             ? +1
             : 0;
}

}  // namespace

std::string Axis::name() const { return fmt::format("{}", fmt::join(paths, ", ")); }

std::string Axis::value_text(std::size_t i) const { return fmt::format("{}", fmt::join(values[i], ", ")); }

// Zipped paths must agree for every pair of values.
int Axis::better() const {
  int agreed = bandwidth_sense(paths.front(), unit);
  for (std::size_t p = 1; p < paths.size(); ++p)
    for (std::size_t i = 1; i < values.size() && agreed != 0; ++i) {
      const auto before = split_number(values[i - 1][p]), here = split_number(values[i][p]);
      const auto same = before && here ? in_unit(*here, before->unit) : std::nullopt;
      const bool rises = same && *same > before->value, falls = same && *same < before->value;
      const int sense = same ? bandwidth_sense(paths[p], before->unit) * (rises ? 1 : falls ? -1 : 0) : 0;
      if (sense != agreed * (numbers[i] > numbers[i - 1] ? 1 : -1)) agreed = 0;
    }
  return agreed;
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

// Values of a loosely shaped YAML document: rows of measurements carry many keys, of which only some matter here.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/scenario/yaml.hpp"

namespace gridlock::validate {

[[noreturn]] void fail(const scenario::Node& at, const std::string& message);  // InvalidScenario

std::optional<double> number_of(const scenario::Node& node);  // nothing for null, text, nan
std::string text_at(const scenario::Node& map, std::string_view key, const std::string& absent);
std::optional<double> number_at(const scenario::Node& map, std::string_view key);
int integer_at(const scenario::Node& map, std::string_view key, int absent);
const scenario::Node& list_at(const scenario::Node& map, std::string_view key);  // fails when there is none

// Documents made here.
scenario::Node scalar(std::string text, const scenario::Mark& mark);
scenario::Node map_of(std::vector<std::pair<std::string, scenario::Node>> entries, const scenario::Mark& mark);

}  // namespace gridlock::validate

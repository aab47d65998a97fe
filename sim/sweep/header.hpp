// The header of a result file as JSON.
#pragma once

#include "sim/sweep/result.hpp"

namespace gridlock::sweep {

nlohmann::ordered_json header_json(const Header& header);
Header header_of_json(const nlohmann::ordered_json& json);  // throws nlohmann::json::exception, WrongFile on another schema

// How the sweep of a file differs from the one asked for, in words; empty when it does not.
std::string header_difference(const nlohmann::ordered_json& file, const nlohmann::ordered_json& wanted);

}  // namespace gridlock::sweep

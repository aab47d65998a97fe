// The result of a run as JSON, schema gridlock.result/1 (docs/reference/result.md). Names are a contract.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "sim/report/run_report.hpp"

namespace gridlock::report {

// Without `host` the bytes depend on scenario and seed alone.
nlohmann::ordered_json result_json(const RunReport& report, const std::optional<HostFigures>& host);

}  // namespace gridlock::report

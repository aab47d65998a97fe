// Published nccl-tests tables against the closed form of the simulator (bench::closed_form: what the engine gives on an idle
// fabric, to 1e-9).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "collectives/tuning.hpp"
#include "sim/validate/nccl_tables.hpp"
#include "sim/validate/score.hpp"

namespace gridlock::validate {

struct CollectiveRow {
  Scored scored;
  std::uint64_t bytes = 0;
  double measured_s = 0, predicted_s = 0;
  collectives::Choice choice;
};

struct CollectiveScore {
  std::vector<CollectiveRow> rows;
  std::vector<Summary> summary;
  std::vector<std::string> skipped;  // "table: why"
};

// Tables of quality ok that name a cluster and a profile; the others are skipped. `overrides` as --set, on every table's machine.
CollectiveScore score_collectives(const NcclTables& tables, const std::vector<std::string>& overrides);

std::string collectives_text(const CollectiveScore& score, std::size_t worst_rows);
nlohmann::ordered_json collectives_json(const CollectiveScore& score);

}  // namespace gridlock::validate

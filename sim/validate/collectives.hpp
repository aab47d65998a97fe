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
  std::vector<CollectiveRow> rows;      // by the profile that a table names
  std::vector<CollectiveRow> left_out;  // fitted tables by their left_out_profile, where they have one
  std::vector<Summary> summary;         // of both
  std::vector<std::string> skipped;     // "table: why"
  int most_ranks = 0;                   // of any table used
};

// Tables of quality ok that name a cluster and a profile; the others are skipped. `overrides` as --set, on every table's machine.
CollectiveScore score_collectives(const NcclTables& tables, const std::vector<std::string>& overrides);

// The rows of the largest |error|, worst first, of those by the profile that a table names.
std::vector<const CollectiveRow*> worst_rows(const CollectiveScore& score, std::size_t count);

std::string collectives_text(const CollectiveScore& score, std::size_t worst);
nlohmann::ordered_json collectives_json(const CollectiveScore& score);
// Summary and worst rows as tables of a Markdown page.
std::string collectives_markdown(const CollectiveScore& score, std::size_t worst);
// The page with `section` in place of what stands between its lines "<!-- gridlock validate collectives: begin -->" and "... end
// -->". Throws std::invalid_argument when it has no such lines.
std::string replace_section(const std::string& page, const std::string& section);

}  // namespace gridlock::validate

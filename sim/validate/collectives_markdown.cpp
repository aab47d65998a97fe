#include <fmt/format.h>

#include <stdexcept>

#include "collectives/collective.hpp"
#include "sim/validate/collectives.hpp"

namespace gridlock::validate {
namespace {

constexpr std::string_view begin_mark = "<!-- gridlock validate collectives: begin -->\n";
constexpr std::string_view end_mark = "<!-- gridlock validate collectives: end -->\n";

std::string summary_table(const CollectiveScore& score) {
  std::string text =
      "| NVLink domains | tables | size | tables | rows | median | 90th percentile | bias |\n|---|---|---|---|---|---|---|---|\n";
  for (const Summary& s : score.summary)
    text += fmt::format("| {} | {} | {} | {} | {} | {:.1f} % | {:.1f} % | {:+.1f} % |\n", s.single_domain ? "single" : "several",
                        name(s.basis), name(s.band), s.tables, s.rows, 100 * s.median, 100 * s.ninetieth, 100 * s.bias);
  return text;
}

std::string worst_table(const CollectiveScore& score, std::size_t count) {
  std::string text = "| table | | size (B) | measured (us) | predicted (us) | error | chosen |\n|---|---|---|---|---|---|---|\n";
  for (const CollectiveRow* row : worst_rows(score, count))
    text += fmt::format("| {} | {} | {} | {:.1f} | {:.1f} | {:+.1f} % | {} {} |\n", row->scored.table, name(row->scored.basis),
                        row->bytes, row->measured_s * 1e6, row->predicted_s * 1e6, 100 * row->scored.error,
                        collectives::name(row->choice.algorithm), collectives::name(row->choice.protocol));
  return text;
}

}  // namespace

std::string collectives_markdown(const CollectiveScore& score, std::size_t worst) {
  return summary_table(score) + "\nWorst rows:\n\n" + worst_table(score, worst) +
         fmt::format(
             "\nThe largest communicator measured has {} ranks. **Collectives of more ranks are extrapolated**: nothing here "
             "says how "
             "far off they are, and `gridlock run` warns of it.\n",
             score.most_ranks);
}

std::string replace_section(const std::string& page, const std::string& section) {
  const std::size_t begin = page.find(begin_mark), end = page.find(end_mark);
  if (begin == std::string::npos || end == std::string::npos || end < begin)
    throw std::invalid_argument(fmt::format("has no section between the lines\n  {}  {}", begin_mark, end_mark));
  return page.substr(0, begin + begin_mark.size()) + "\n" + section + "\n" + page.substr(end);
}

}  // namespace gridlock::validate

// Names that people know for the classes of a simulation: "stage 3", "leaf uplinks (rail 3)", "dp.reduce_scatter, stage 0".
#pragma once

#include <string>
#include <vector>

#include "sim/analysis/bottleneck.hpp"
#include "sim/engine/simulate.hpp"

namespace gridlock::report {

using engine::Index;
using engine::none;

class Names {
 public:
  explicit Names(const engine::Simulation& simulation);

  const std::string& rank(Index rank_class) const { return ranks_[rank_class]; }
  const std::string& link(Index link_class) const { return links_[link_class]; }
  const std::string& link_base(Index link_class) const { return link_bases_[link_class]; }  // "NIC to leaf", wherever it is
  std::string link_example(Index link_class) const;
  std::string communicator(Index communicator_class) const;  // "data group of stage 3"
  std::string message(Index message_class) const;            // "stage 3 -> stage 4"

  // "0-7,64-71": the ranks of a class.
  std::string rank_list(Index rank_class) const;

  // {link, "NIC to leaf"}, {latency, ""}, {compute, "GPU copy rate (channels)"}, {peer, "stage 3"}.
  static std::string_view kind(analysis::BoundKind kind);
  std::string bound(const analysis::Bound& bound) const;

 private:
  void name_ranks();
  void name_links();
  const engine::Simulation& s_;
  std::vector<std::string> ranks_, links_, link_bases_;
  std::vector<std::vector<parallel::RankId>> members_;  // by rank class
};

// "0-7,64-71" of sorted numbers.
std::string compress(const std::vector<std::uint32_t>& numbers);

}  // namespace gridlock::report

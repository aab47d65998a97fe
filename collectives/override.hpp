// What may run instead of the tuner's free choice: one algorithm or protocol for all calls (command line, tables of
// measurements), and lists as NCCL_ALGO and NCCL_PROTO take them:
//
//   ring,tree                    only these                   ^nvls      all but these
//   allreduce:tree;ring          of all-reduces only trees, of all others only rings
//
// Point-to-point calls have no algorithm to choose. A protocol that a list or `protocol` names is allowed where NCCL would leave
// it off (LL128 without NVLink). Source: NCCL user guide, environment variables NCCL_ALGO and NCCL_PROTO.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/collective.hpp"

namespace gridlock::collectives {

// Names as people type them: "all-reduce", "all_reduce_perf" and "AllReduce" are one. Wrong ones throw std::invalid_argument with
// what is meant, or all there are.
Kind parse_kind(std::string_view text);
Algorithm parse_algorithm(std::string_view text);  // those that can be forced: not P2P
Protocol parse_protocol(std::string_view text);

template <class Value>
class AllowList {
 public:
  bool allows(Kind kind, Value value) const;
  // Allowed because it stands in a list, not because none speaks of it.
  bool names(Kind kind, Value value) const;

  struct Rule {
    std::optional<Kind> kind;  // of these calls; none: of all that no other rule is for
    bool excluded = false;     // all but `values`
    std::vector<Value> values;
    bool operator==(const Rule&) const = default;
  };
  std::vector<Rule> rules;  // at most one for each kind; empty: everything
  bool operator==(const AllowList&) const = default;

 private:
  const Rule* rule_for(Kind kind) const;
};

// Empty text: everything is allowed. Throws std::invalid_argument.
AllowList<Algorithm> parse_algorithms(std::string_view text);
AllowList<Protocol> parse_protocols(std::string_view text);

struct Override {
  std::optional<Algorithm> algorithm = std::nullopt;
  std::optional<Protocol> protocol = std::nullopt;
  AllowList<Algorithm> algorithms = {};
  AllowList<Protocol> protocols = {};

  bool allows(Kind kind, Algorithm value) const;
  bool allows(Kind kind, Protocol value) const;
  bool names(Kind kind, Protocol value) const;
  std::string text() const;  // "Tree with LL"; what was asked for, for messages
};

}  // namespace gridlock::collectives

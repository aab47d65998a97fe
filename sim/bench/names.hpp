// Names as people type them: "all-reduce", "all_reduce_perf" and "AllReduce" are one. Wrong ones throw std::invalid_argument with
// what is meant, or all there are.
#pragma once

#include <string>
#include <string_view>

#include "collectives/collective.hpp"

namespace gridlock::bench {

collectives::Kind parse_kind(std::string_view text);
collectives::Algorithm parse_algorithm(std::string_view text);  // those that can be forced: not P2P
collectives::Protocol parse_protocol(std::string_view text);

std::string nccl_tests_name(collectives::Kind kind);  // "all_reduce_perf"
bool reduces(collectives::Kind kind);
bool has_root(collectives::Kind kind);

}  // namespace gridlock::bench

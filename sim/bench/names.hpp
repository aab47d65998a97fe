// Names of collectives, algorithms and protocols as people and nccl-tests write them (collectives/override.hpp reads them).
#pragma once

#include <string>

#include "collectives/override.hpp"

namespace gridlock::bench {

using collectives::parse_algorithm;
using collectives::parse_kind;
using collectives::parse_protocol;

std::string nccl_tests_name(collectives::Kind kind);  // "all_reduce_perf"

}  // namespace gridlock::bench

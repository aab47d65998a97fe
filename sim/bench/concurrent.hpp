// Several collectives at once: how long each takes alone and together with the others, and the links over which they fight.
//
// For every size of the first one: all start together on an idle cluster and each runs once. A link is shared when two or more of
// them send bytes over it; `busy_s` is the least time in which it could carry all of them.
//
// Worked example: two all-gathers that each need 1 GB over one NIC of 50 GB/s take 20 ms alone and 40 ms together.
#pragma once

#include "sim/bench/benchmark.hpp"

namespace gridlock::bench {

struct Contender {
  Row row;  // time alone
  double together_s = 0;
};

// Links between the same kinds of devices that the same contenders cross.
struct SharedLinks {
  std::string name;     // "NIC to leaf"
  std::string example;  // the one that is busy longest
  std::uint32_t count = 0;
  double bytes_per_s = 0;     // of the example
  std::vector<double> bytes;  // over the example, by contender
  double busy_s = 0;
};

struct Fight {
  std::vector<Contender> contenders;
  std::vector<SharedLinks> shared;  // busiest first
};

struct Together {
  std::vector<Request> requests;
  std::vector<collectives::CommunicatorShape> shapes;  // by request
  std::vector<Fight> fights;                           // by size of the first request
  EngineFigures engine;
};

// Requests after the first have one size, or none: that of the first. As simulate().
Together simulate_together(const scenario::Scenario& scenario, std::vector<Request> requests, bool folded);

}  // namespace gridlock::bench

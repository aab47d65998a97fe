// The communicator of a benchmark and its plans: what simulation and closed form have in common.
#pragma once

#include "collectives/pattern.hpp"
#include "sim/bench/benchmark.hpp"
#include "topology/router.hpp"

namespace gridlock::bench {

struct Setup {
  topology::Fabric fabric;
  topology::Router router;
  std::vector<topology::GpuId> gpus;
  collectives::TuningParameters tuning;
  collectives::CommunicatorShape shape;

  Setup(const scenario::Scenario& machine, const Request& request);

  int ranks() const { return shape.ranks; }
  // Sizes rounded and tuned, times still 0.
  std::vector<Row> plan(const Request& request) const;
  // Time of a call as it is measured: at least what its launches take.
  double measured_s(const Request& request, double call_s) const;
  // The edges of an algorithm. Point-to-point: one bundle a pair, whose share is of the bytes of the whole call.
  collectives::Pattern pattern(const Request& request, collectives::Algorithm algorithm) const;
  // Bytes that the shares of the pattern refer to, protocol overhead included.
  double wire_bytes(collectives::Kind kind, const collectives::Choice& choice, double bytes) const;
  // Most bytes per second, protocol overhead included, of an edge of share 1.
  double rate_cap(collectives::Kind kind, const collectives::Choice& choice) const;
};

}  // namespace gridlock::bench

#include "sim/bench/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "collectives/p2p.hpp"
#include "topology/placement.hpp"

namespace gridlock::bench {
namespace {

using collectives::Algorithm;
using collectives::Kind;

std::vector<topology::GpuId> chosen_gpus(const scenario::Scenario& machine, const Request& request) {
  const auto count = static_cast<std::uint32_t>(machine.gpus());
  const std::vector<topology::GpuId> placed = topology::place(machine.cluster, count, machine.seed);
  if (request.members.empty() && count < 2)
    throw std::invalid_argument("a collective needs at least two ranks, the cluster has one GPU");
  if (request.members.empty()) return placed;
  std::vector<topology::GpuId> gpus;
  for (const std::uint32_t rank : request.members) {
    if (rank >= count)
      throw std::invalid_argument(fmt::format("there is no rank {}: the cluster has ranks 0 to {}", rank, count - 1));
    gpus.push_back(placed[rank]);
  }
  if (gpus.size() < 2) throw std::invalid_argument("a collective needs at least two ranks");
  std::vector<std::uint32_t> sorted = request.members;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) throw std::invalid_argument(fmt::format("rank {} is named twice", *twice));
  return gpus;
}

// The pairs of an all-to-all each carry 1/n of the array, those of a send/recv all of it.
double pair_share(Kind kind, int ranks) { return kind == Kind::all_to_all ? 1.0 / ranks : 1.0; }

}  // namespace

Setup::Setup(const scenario::Scenario& machine, const Request& request)
    : fabric(topology::build_fabric(machine.cluster, machine.profile.links, machine.faults.links)),
      router(fabric, machine.seed),
      gpus(chosen_gpus(machine, request)),
      tuning(machine.profile.tuning),
      shape(collectives::communicator_shape(fabric, router, gpus)) {
  if (request.channels == 0) return;
  // So many channels in all, each as fast as the profile says.
  tuning.intra_channels = request.channels;
  tuning.inter_channels = 1;
  if (shape.nodes > 1) shape.rails = request.channels;
}

std::vector<Row> Setup::plan(const Request& request) const {
  std::vector<Row> rows;
  for (const std::uint64_t size : request.sizes) {
    Row row;
    row.size = collectives::call_size(request.kind, ranks(), size);
    row.candidates = collectives::candidates(request.kind, static_cast<double>(row.size.bytes), shape, tuning, request.forced);
    rows.push_back(std::move(row));
  }
  return rows;
}

double Setup::measured_s(const Request& request, double call_s) const {
  const int driven = std::min(request.gpus_per_process, ranks());
  return driven > 1 ? std::max(call_s, launch_s_per_gpu * driven) : call_s;
}

collectives::Pattern Setup::pattern(const Request& request, Algorithm algorithm) const {
  if (algorithm == Algorithm::ring && request.channels > 0)
    return collectives::ring_pattern(fabric, router, gpus, request.channels);
  if (algorithm != Algorithm::point_to_point) return collectives::make_pattern(algorithm, fabric, router, gpus);
  collectives::Pattern pairs{Algorithm::point_to_point, {}};
  const bool all = request.kind == Kind::all_to_all;
  for (collectives::PairFlow& flow :
       all ? collectives::all_to_all_flows(router, gpus) : collectives::send_recv_flows(router, gpus))
    pairs.bundles.push_back({std::move(flow.links), flow.share});
  return pairs;
}

double Setup::wire_bytes(Kind kind, const collectives::Choice& choice, double bytes) const {
  if (choice.algorithm == Algorithm::point_to_point) return bytes * choice.wire_inflation;
  return collectives::wire_bytes(choice.algorithm, kind, ranks(), bytes) * choice.wire_inflation;
}

double Setup::rate_cap(Kind kind, const collectives::Choice& choice) const {
  const double cap = choice.bus_cap_bytes_per_s * choice.wire_inflation;
  return choice.algorithm == Algorithm::point_to_point ? cap / pair_share(kind, ranks()) : cap;
}

}  // namespace gridlock::bench

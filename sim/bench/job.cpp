#include "sim/bench/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "collectives/p2p.hpp"
#include "collectives/time.hpp"
#include "topology/placement.hpp"

namespace gridlock::bench {
namespace {

using collectives::Algorithm;
using collectives::Choice;
using collectives::Kind;
using topology::GpuId;

// A pair of ranks takes some 200 bytes while it is folded: 4,096 ranks of an all-to-all some 3 GB.
constexpr std::size_t most_pairs = std::size_t{4096} * 4096;

std::vector<GpuId> chosen_gpus(const Machine& machine, const Request& request) {
  const std::size_t count = machine.placed.size();
  if (request.members.empty() && count < 2)
    throw std::invalid_argument("a collective needs at least two ranks, the cluster has one GPU");
  if (request.members.empty()) return machine.placed;
  std::vector<GpuId> gpus;
  for (const std::uint32_t rank : request.members) {
    if (rank >= count)
      throw std::invalid_argument(fmt::format("there is no rank {}: the cluster has ranks 0 to {}", rank, count - 1));
    gpus.push_back(machine.placed[rank]);
  }
  if (gpus.size() < 2) throw std::invalid_argument("a collective needs at least two ranks");
  std::vector<std::uint32_t> sorted = request.members;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) throw std::invalid_argument(fmt::format("rank {} is named twice", *twice));
  return gpus;
}

void check_exchange(const Request& request, std::size_t ranks) {
  if (request.kind == Kind::all_to_all && !request.two_level && ranks * ranks > most_pairs)
    throw std::invalid_argument(fmt::format("an all-to-all over {} ranks has {} pairs, the most is {}: name fewer with --ranks",
                                            ranks, ranks * (ranks - 1), most_pairs));
  if (!request.exchange) return;
  if (request.kind != Kind::all_to_all || request.two_level) throw std::invalid_argument("only a flat all-to-all can be uneven");
  if (request.exchange->ranks() != ranks)
    throw std::invalid_argument(
        fmt::format("the matrix is of {} ranks, the communicator has {}", request.exchange->ranks(), ranks));
}

}  // namespace

Machine::Machine(const scenario::Scenario& scenario)
    : fabric(topology::build_fabric(scenario.cluster, scenario.profile.links, scenario.faults.links)),
      router(fabric, scenario.seed),
      placed(topology::place(scenario.cluster, static_cast<std::uint32_t>(scenario.gpus()), scenario.seed)),
      tuning(scenario.profile.tuning),
      allowed(scenario.collectives.parsed()) {}

Job::Job(const Machine& machine, const Request& request)
    : machine_(machine), request_(request), gpus_(chosen_gpus(machine, request)), tuning_(machine.tuning) {
  check_exchange(request, gpus_.size());
  if (request_.forced.algorithms.rules.empty()) request_.forced.algorithms = machine.allowed.algorithms;
  if (request_.forced.protocols.rules.empty()) request_.forced.protocols = machine.allowed.protocols;
  const auto group = [&](std::vector<GpuId> gpus) {
    Group made{std::move(gpus), {}};
    made.shape = collectives::communicator_shape(machine.fabric, machine.router, made.gpus);
    if (request.channels > 0 && made.shape.nodes > 1) made.shape.rails = request.channels;
    return made;
  };
  whole_.push_back(group(gpus_));
  shape_ = whole_.front().shape;
  if (request.channels > 0) {
    // So many channels in all, each as fast as the profile says.
    tuning_.intra_channels = request.channels;
    tuning_.inter_channels = 1;
  }
  if (!request.two_level) return;
  LevelGroups levels = two_level_groups(machine.fabric, gpus_);
  for (std::vector<GpuId>& gpus : levels.inside) inside_.push_back(group(std::move(gpus)));
  for (std::vector<GpuId>& gpus : levels.across) across_.push_back(group(std::move(gpus)));
}

const std::vector<Group>& Job::groups(Level level) const {
  return level == Level::whole ? whole_ : level == Level::inside ? inside_ : across_;
}

std::vector<Level> Job::levels() const {
  return request_.two_level ? std::vector{Level::inside, Level::across} : std::vector{Level::whole};
}

std::vector<LevelCall> Job::calls(const Row& row) const {
  const auto bytes = static_cast<double>(row.size.bytes);
  return request_.two_level ? two_level_calls(request_.kind, bytes, shape_.ranks_per_node)
                            : std::vector<LevelCall>{{Level::whole, request_.kind, bytes}};
}

std::vector<Choice> Job::candidates(const Group& group, const LevelCall& call) const {
  std::vector<Choice> choices = collectives::candidates(call.kind, call.bytes, group.shape, tuning_, request_.forced);
  if (!request_.exchange) return choices;
  // The cap of a pair is its share of what a rank sends: 1 / (n - 1) where all are equal.
  const double share = request_.exchange->largest_share() / request_.exchange->largest_row();
  for (Choice& choice : choices) choice.bus_cap_bytes_per_s *= share * (group.shape.ranks - 1);
  return choices;
}

Row Job::plan(std::uint64_t size) const {
  Row row;
  row.size = collectives::call_size(request_.kind, shape_.ranks, size);
  for (const LevelCall& call : calls(row)) {
    std::vector<Choice> choices = candidates(groups(call.level).front(), call);
    if (!request_.two_level)
      row.candidates = std::move(choices);
    else
      row.phases.push_back({name(call.level), call.kind, call.bytes, std::move(choices), 0});
  }
  return row;
}

std::vector<Row> Job::plan() const {
  std::vector<Row> rows;
  for (const std::uint64_t size : request_.sizes) rows.push_back(plan(size));
  return rows;
}

double Job::measured_s(double call_s) const {
  const int driven = std::min(request_.gpus_per_process, shape_.ranks);
  return driven > 1 ? std::max(call_s, collectives::launch_s_per_gpu * driven) : call_s;
}

void Job::for_each_edge(const Group& group, Kind kind, Algorithm algorithm, const EdgeVisitor& visit) const {
  if (algorithm == Algorithm::point_to_point) {
    const collectives::Exchange exchange =
        request_.exchange ? *request_.exchange : collectives::Exchange::even(kind, group.gpus.size());
    return collectives::for_each_flow(machine_.router, group.gpus, exchange,
                                      [&](const collectives::PairFlow& flow) { visit(flow.links, flow.share); });
  }
  const collectives::Pattern pattern =
      algorithm == Algorithm::ring ? collectives::ring_pattern(machine_.fabric, machine_.router, group.gpus, request_.channels)
                                   : collectives::make_pattern(algorithm, kind, machine_.fabric, machine_.router, group.gpus);
  for (const collectives::Bundle& bundle : pattern.bundles) visit(bundle.links, bundle.share);
}

double Job::wire_bytes(const Group& group, const LevelCall& call, const Choice& choice) const {
  const double payload = request_.exchange ? request_.exchange->largest_share() * call.bytes
                                           : collectives::wire_bytes(choice.algorithm, call.kind, group.shape.ranks, call.bytes);
  return payload * choice.wire_inflation;
}

}  // namespace gridlock::bench

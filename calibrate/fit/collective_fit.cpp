#include "calibrate/fit/collective_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace gridlock::calibrate {
namespace {

using collectives::Kind;

constexpr double least_spread = 0.01;

// A term, where it stands, and which calls could depend on it.
struct Constant {
  Term term;
  double collectives::TuningParameters::*place;
  bool (*seen_by)(const CollectiveCall&);
};

bool pairs(const CollectiveCall& call) { return call.kind == Kind::all_to_all || call.kind == Kind::send_recv; }

double nic_bytes_per_s(const topology::ClusterSpec& cluster) {
  return cluster.fabric.nic_bytes_per_s > 0 ? cluster.fabric.nic_bytes_per_s : cluster.node.nic_bytes_per_s;
}

// Presets are of the same kind of hardware: rates may be off by a factor of two, latencies of virtual networks by more.
std::vector<Constant> all_constants(const topology::ClusterSpec& cluster, const CollectiveConstants& preset) {
  using T = collectives::TuningParameters;
  const T& t = preset.tuning;
  const bool nvlink = cluster.node.kind == topology::NodeKind::nvswitch;
  const double inside = t.intra_channels * t.intra_channel_bytes_per_s;
  std::vector<Constant> out{
      {{"nccl.intra_channel_bandwidth", t.intra_channel_bytes_per_s, 2, "all-gathers of 64 MB and more inside a node"},
       &T::intra_channel_bytes_per_s,
       [](const CollectiveCall& c) { return c.nodes == 1 && !pairs(c); }},
      {{"nccl.p2p_bandwidth", t.p2p_bytes_per_s > 0 ? t.p2p_bytes_per_s : inside, 2,
        "all-to-alls of 64 MB and more inside a node"},
       &T::p2p_bytes_per_s,
       [](const CollectiveCall& c) { return c.nodes == 1 && pairs(c); }},
      {{"nccl.inter_channel_bandwidth", t.inter_channel_bytes_per_s, 2, "calls of 1 GB and more over several nodes"},
       &T::inter_channel_bytes_per_s,
       [](const CollectiveCall& c) { return c.nodes > 1; }},
      {{"nccl.network_latency", std::max(t.network_latency_s, 1e-6), 8, "calls of at most 32 KB over several nodes"},
       &T::network_latency_s,
       [](const CollectiveCall& c) { return c.nodes > 1; }}};
  if (nvlink && t.nvls_channels > 0) {
    const double payload = cluster.node.nvlink_bytes_per_s * preset.links.nvlink_efficiency;
    out.insert(out.begin() + 1, {{"nccl.nvls_bandwidth", t.nvls_bytes_per_s > 0 ? t.nvls_bytes_per_s : payload, 2,
                                  "all-reduces of 64 MB and more inside a node"},
                                 &T::nvls_bytes_per_s,
                                 [](const CollectiveCall& c) { return c.nodes == 1 && c.kind == Kind::all_reduce; }});
  }
  return out;
}

// Links give what their channels move.
void raise_links(const topology::ClusterSpec& cluster, const std::vector<Constant>& fitted, CollectiveConstants& c) {
  const auto raise = [](double& efficiency, double wire, double moved) {
    if (wire > 0) efficiency = std::clamp(moved / wire, efficiency, 1.0);
  };
  using T = collectives::TuningParameters;
  // Of one plane: in a mesh of cables a ring's rate is that of the pair with the fewest.
  const double nvlink = cluster.node.kind == topology::NodeKind::nvswitch ? cluster.node.nvlink_bytes_per_s : 0;
  for (const Constant& constant : fitted) {
    const double rate = c.tuning.*constant.place;
    if (constant.place == &T::inter_channel_bytes_per_s)
      raise(c.links.nic_efficiency, nic_bytes_per_s(cluster), c.tuning.inter_channels * rate);
    if (constant.place == &T::intra_channel_bytes_per_s) raise(c.links.nvlink_efficiency, nvlink, c.tuning.intra_channels * rate);
    if (constant.place == &T::nvls_bytes_per_s || constant.place == &T::p2p_bytes_per_s)
      raise(c.links.nvlink_efficiency, nvlink, rate);
  }
}

CollectiveConstants constants_of(const std::vector<Constant>& list, const std::vector<double>& terms,
                                 const topology::ClusterSpec& cluster, const CollectiveConstants& preset) {
  CollectiveConstants c = preset;
  for (std::size_t j = 0; j < list.size(); ++j) c.tuning.*list[j].place = terms[j];
  // More than the port rate does not flow, whatever would fit the small calls best.
  if (const double port = nic_bytes_per_s(cluster) / c.tuning.inter_channels; port > 0)
    c.tuning.inter_channel_bytes_per_s = std::min(c.tuning.inter_channel_bytes_per_s, port);
  c.tuning.nvls_inter_channel_bytes_per_s *= c.tuning.inter_channel_bytes_per_s / preset.tuning.inter_channel_bytes_per_s;
  raise_links(cluster, list, c);
  return c;
}

// The preset with what was fitted.
CollectiveConstants after(const RobustFit& fit, const std::vector<Constant>& constants, const topology::ClusterSpec& cluster,
                          const CollectiveConstants& preset) {
  std::vector<Constant> fitted;
  std::vector<double> values;
  for (std::size_t j = 0; j < constants.size(); ++j) {
    if (fit.terms[j].refused) continue;
    fitted.push_back(constants[j]);
    values.push_back(fit.terms[j].value);
  }
  return constants_of(fitted, values, cluster, preset);
}

std::size_t band(double bytes) { return bytes < 1 << 20 ? 0 : bytes < 64 << 20 ? 1 : 2; }

// The model's latencies are NCCL's table, which misses by more than its bandwidths do: small calls shall not blur large ones.
// Typical error of the calls of each size over that of the best known, at most 10.
std::vector<double> scatter_by_size(const std::vector<CollectiveCall>& calls, const RobustFit& fit) {
  std::array<std::vector<double>, 3> errors;
  for (std::size_t i = 0; i < calls.size(); ++i) errors[band(calls[i].bytes)].push_back(std::abs(fit.error[i]));
  std::array<double, 3> typical{};
  double least = 1;
  for (std::size_t b = 0; b < errors.size(); ++b) {
    if (errors[b].empty()) continue;
    std::sort(errors[b].begin(), errors[b].end());
    typical[b] = std::max(errors[b][errors[b].size() / 2], least_spread);
    least = std::min(least, typical[b]);
  }
  std::vector<double> out;
  for (const CollectiveCall& call : calls) out.push_back(std::min(typical[band(call.bytes)] / least, 10.0));
  return out;
}

// A bandwidth shows in calls that are bound by it: smaller ones are bound by protocols and latencies.
bool large_enough(const Constant& constant, const CollectiveCall& call) {
  if (constant.place == &collectives::TuningParameters::network_latency_s) return true;
  return call.bytes >= (call.nodes > 1 ? 16 : 4) * 1048576.0;
}

// Where a term bounds nothing at the preset's value (NICs faster than NVLink's channels), no small step shows that it is far off.
// Puts each refused term to the best of some values, where that takes away a tenth of the sum of errors; true if any moved.
bool seek(RobustProblem& problem, const RobustFit& fit) {
  if (problem.measured.size() < 3 * problem.terms.size()) return false;
  std::vector<double> terms = fit.values();
  const auto misses = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < problem.measured.size(); ++i)
      sum += std::min(std::abs(std::log(problem.model(terms, i) / problem.measured[i])), 1.0);
    return sum;
  };
  bool moved = false;
  for (std::size_t j = 0; j < terms.size(); ++j) {
    if (!fit.terms[j].refused) continue;
    double best = terms[j], least = 0.9 * misses();
    for (const double factor : {0.25, 0.35, 0.5, 0.7, 0.85, 1.2, 1.4, 2.0}) {
      terms[j] = problem.terms[j].expected * factor;
      if (const double found = misses(); found < least) least = found, best = terms[j], moved = true;
    }
    problem.terms[j].expected = terms[j] = best;
  }
  return moved;
}

bool too_large(const CollectiveCall& call) {
  return call.ranks > (call.kind == Kind::all_to_all ? most_all_to_all_ranks : most_ranks);
}

}  // namespace

CollectiveFit fit_collectives(const std::vector<Point>& points, Statistic statistic, topology::ClusterSpec cluster,
                              const CollectiveConstants& preset) {
  CollectiveFit out;
  out.constants = preset;
  std::vector<CollectiveCall> calls;
  std::size_t passed_over = 0;
  for (const Point& point : merged(points)) {
    const std::optional<CollectiveCall> call = collective_call(point);
    if (!call) continue;
    if (too_large(*call)) {
      ++passed_over;
      continue;
    }
    calls.push_back(*call);
    out.points.push_back(point);
    cluster.nodes = std::max(cluster.nodes, call->nodes);
    if (cluster.nodes > 1 && cluster.fabric.kind == topology::FabricKind::none)
      cluster.fabric.kind = topology::FabricKind::rail_fat_tree;
  }
  if (passed_over > 0)
    out.not_fitted.push_back(fmt::format("{} points of more than {} ranks (all-to-all: {}) were passed over", passed_over,
                                         most_ranks, most_all_to_all_ranks));
  if (calls.empty()) return out;

  std::vector<Constant> constants = all_constants(cluster, preset);
  std::erase_if(constants, [&](const Constant& c) { return std::none_of(calls.begin(), calls.end(), c.seen_by); });
  std::vector<Constant> too_small;  // calls
  std::erase_if(constants, [&](const Constant& c) {
    const bool seen = std::any_of(calls.begin(), calls.end(),
                                  [&](const CollectiveCall& call) { return c.seen_by(call) && large_enough(c, call); });
    if (!seen) too_small.push_back(c);
    return !seen;
  });
  if (constants.empty())
    throw std::invalid_argument(fmt::format("no call is large enough: measure {}", too_small.front().term.identified_by));
  CollectiveModel model(cluster, preset.links);
  RobustProblem problem;
  for (const Constant& c : constants) problem.terms.push_back(c.term);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    problem.measured.push_back(summary_s(out.points[i], statistic));
    out.preset_s.push_back(model.seconds(calls[i], preset));
  }
  std::vector<collectives::Override> choices(calls.size());
  const auto choose = [&](const collectives::TuningParameters& tuning) {
    for (std::size_t i = 0; i < calls.size(); ++i) choices[i] = model.choice(calls[i], tuning);
  };
  // All points are asked for the same terms before other terms are tried.
  std::vector<double> last;
  CollectiveConstants current;
  problem.model = [&](const std::vector<double>& terms, std::size_t i) {
    if (terms != last) {
      current = constants_of(constants, terms, cluster, preset);
      last = terms;
    }
    return model.seconds(calls[i], current, choices[i]);
  };
  problem.least_spread = least_spread;
  choose(preset.tuning);
  out.fit = robust_fit(problem);
  if (seek(problem, out.fit)) out.fit = robust_fit(problem);
  choose(after(out.fit, constants, cluster, preset).tuning);
  problem.times_the_scatter = scatter_by_size(calls, out.fit);
  out.fit = robust_fit(problem);
  out.constants = after(out.fit, constants, cluster, preset);
  for (std::size_t j = 0; j < constants.size(); ++j)  // as the model had them: bounded by the port
    if (!out.fit.terms[j].refused) out.fit.terms[j].value = out.constants.tuning.*constants[j].place;
  for (const Constant& c : too_small)
    out.fit.terms.push_back({c.term.name, c.term.expected, 0, true, "no call is large enough; measure " + c.term.identified_by});
  return out;
}

}  // namespace gridlock::calibrate

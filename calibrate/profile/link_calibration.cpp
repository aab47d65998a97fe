#include "calibrate/profile/link_calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "calibrate/fit/collective_fit.hpp"
#include "calibrate/fit/copy_fit.hpp"

namespace gridlock::calibrate {
namespace {

using Unit = ProfileValue::Unit;

std::vector<Point> of_labels(const std::vector<Point>& points, const std::string& benchmark,
                             const std::map<std::string, std::string>& labels) {
  return merged(select(points, benchmark, labels));
}

// Only the bandwidth is a profile's; the start of a copy belongs to the host.
void add_copies(Calibration& out, const std::string& name, const std::vector<Point>& points, const std::string& key, double wire,
                double preset) {
  if (points.empty()) {
    out.profile.kept.push_back(fmt::format("links.{}: as in the preset; no such copy was measured.", key));
    return;
  }
  const CopyFit copies = fit_copies(points, out.statistic, "links." + key, wire);
  const FittedTerm& share = copies.fit.terms[0];
  if (share.refused) {
    out.profile.kept.push_back(fmt::format("{}: not fitted, {}", share.name, share.reason));
  } else {
    out.profile.values.push_back({share.name, std::min(share.value, 1.0), Unit::ratio, share.standard_error});
    if (share.value > 1)
      out.profile.kept.push_back(
          fmt::format("{}: copies moved {:.2f} times the wire rate of the node; is it the right node?", share.name, share.value));
  }
  FittedBenchmark fitted{name, copies.points, copies.fit, {}};
  for (const Point& point : copies.points)
    fitted.preset_s.push_back(copies.fit.terms[1].value + point.numbers.at("bytes") / (wire * preset));
  out.fits.push_back(std::move(fitted));
}

double* value_of(MeasuredProfile& profile, const std::string& key) {
  const auto found =
      std::find_if(profile.values.begin(), profile.values.end(), [&](const ProfileValue& v) { return v.key == key; });
  return found == profile.values.end() ? nullptr : &found->value;
}

void raise(MeasuredProfile& profile, const std::string& key, double preset, double reached) {
  if (double* value = value_of(profile, key)) {
    *value = std::max(*value, reached);
  } else if (reached > preset) {
    profile.values.push_back({key, reached, Unit::ratio, 0});
  }
}

void add_collectives(Calibration& out, const std::vector<Point>& points, const topology::ClusterSpec& cluster,
                     const model::Profile& preset) {
  const CollectiveFit found = fit_collectives(points, out.statistic, cluster, {preset.links, preset.tuning});
  for (const std::string& sentence : found.not_fitted) out.profile.kept.push_back(sentence + ".");
  if (found.points.empty()) {
    out.profile.kept.push_back("nccl: as in the preset; no collective was measured.");
    return;
  }
  std::vector<Unit> units;
  for (const FittedTerm& term : found.fit.terms)
    units.push_back(term.name == "nccl.network_latency" ? Unit::seconds : Unit::bandwidth);
  add_fit(out.profile, found.fit, units);
  for (const FittedTerm& term : found.fit.terms) {
    if (term.name != "nccl.inter_channel_bandwidth" || term.refused || preset.tuning.nvls_inter_channel_bytes_per_s <= 0)
      continue;
    const double ratio = preset.tuning.nvls_inter_channel_bytes_per_s / preset.tuning.inter_channel_bytes_per_s;
    out.profile.values.push_back(
        {"nccl.nvls_inter_channel_bandwidth", ratio * term.value, Unit::bandwidth, ratio * term.standard_error});
    out.profile.correlations.push_back({"nccl.inter_channel_bandwidth", "nccl.nvls_inter_channel_bandwidth", 1});
  }
  raise(out.profile, "links.nvlink_efficiency", preset.links.nvlink_efficiency, found.constants.links.nvlink_efficiency);
  raise(out.profile, "links.nic_efficiency", preset.links.nic_efficiency, found.constants.links.nic_efficiency);
  out.profile.kept.push_back("nccl, links: the other values as in the preset.");
  out.fits.push_back({"collectives", found.points, found.fit, found.preset_s});
}

void add_overlap(Calibration& out, const std::vector<Point>& points, const topology::GpuSpec& gpu) {
  const std::vector<Point> alone = of_labels(points, "overlap", {{"kernel", "gemm"}, {"mode", "alone"}});
  const std::vector<Point> beside = of_labels(points, "overlap", {{"kernel", "gemm"}, {"mode", "with_all_reduce"}});
  if (alone.empty() || beside.empty()) {
    out.profile.kept.push_back("collective_sms: as in the preset; no product beside an all-reduce was measured.");
    return;
  }
  const double slower = summary_s(beside.front(), out.statistic) / summary_s(alone.front(), out.statistic);
  const double taken = std::clamp(std::round(gpu.sms * (1 - 1 / slower)), 0.0, static_cast<double>(gpu.sms - 1));
  out.profile.words.emplace_back("collective_sms", fmt::format("{:.0f}", taken));
}

}  // namespace

void add_links(Calibration& out, const std::vector<Point>& points, const topology::ClusterSpec& cluster,
               const model::Profile& preset) {
  const topology::NodeSpec& node = cluster.node;
  if (node.kind == topology::NodeKind::nvswitch)
    add_copies(out, "peer_copy", of_labels(points, "peer_copy", {{"path", "direct"}}), "nvlink_efficiency",
               node.nvlink_bytes_per_s, preset.links.nvlink_efficiency);
  add_copies(out, "host_copy", of_labels(points, "host_copy", {{"memory", "pinned"}}), "pcie_efficiency", node.pcie_bytes_per_s,
             preset.links.pcie_efficiency);
  add_collectives(out, points, cluster, preset);
  add_overlap(out, points, node.gpu);
}

}  // namespace gridlock::calibrate

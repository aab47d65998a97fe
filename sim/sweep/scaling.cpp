#include "sim/sweep/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/report/format.hpp"
#include "sim/sweep/causes.hpp"
#include "sim/sweep/number.hpp"
#include "sim/sweep/values.hpp"

namespace gridlock::sweep {
namespace {

std::vector<std::string> gpu_counts(std::string text) {
  const std::size_t dots = text.find("..");
  const bool doublings = dots != std::string::npos && text.find(':') == std::string::npos;
  if (!doublings) return parse_values(text, true);
  const auto from = split_number(text.substr(0, dots)), to = split_number(text.substr(dots + 2));
  if (!from || !to || from->value < 1)
    throw SpecificationError(fmt::format("'{}' is no range of GPUs: write gpus=1024..16384", text));
  if (from->value > to->value) throw SpecificationError(fmt::format("'{}' is reversed: write the smaller end first", text));
  std::vector<std::string> counts;
  for (double gpus = from->value; gpus <= to->value; gpus *= 2) counts.push_back(fmt::format("{:.0f}", gpus));
  return counts;
}

std::int64_t divided(std::int64_t gpus, std::int64_t by, const char* what) {
  if (gpus % by != 0) throw SpecificationError(fmt::format("{} GPUs are no multiple of {} ({})", gpus, by, what));
  return gpus / by;
}

// What GPUs spend more of their time on than before.
std::string grown_share(const Point& before, const Point& after) {
  std::string most;
  double largest = 0;
  for (const Cause& c : after.causes) {
    double old = 0;
    for (const Cause& o : before.causes)
      if (o.state == c.state && o.kind == c.kind && o.name == c.name) old = o.seconds / before.step_s;
    if (c.seconds / after.step_s - old > largest) largest = c.seconds / after.step_s - old, most = describe(c);
  }
  return fmt::format("{} takes {:.0f} percentage points more of the step", most, 100 * largest);
}

std::string verdict(const ResultFile& file, const std::vector<ScalePoint>& points) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].marginal >= least_marginal) continue;
    return fmt::format("stops paying at {} GPUs: those added up to {} work {:.0f} % as well; {}\n",
                       report::thousands(points[i - 1].gpus), report::thousands(points[i].gpus),
                       100 * std::max(0.0, points[i].marginal),
                       grown_share(file.read(points[i - 1].index), file.read(points[i].index)));
  }
  return fmt::format("pays up to {} GPUs, the most that could be simulated: added GPUs always work at least {:.0f} % as well\n",
                     report::thousands(points.back().gpus), 100 * least_marginal);
}

}  // namespace

Axis scale_axis(const std::string& text, const std::string& hold, const scenario::Scenario& s) {
  if (!text.starts_with("gpus=")) throw SpecificationError(fmt::format("--scale '{}': write gpus=1024..16384", text));
  if (hold != "batch.global" && hold != "batch.per_replica")
    throw SpecificationError(fmt::format("--hold '{}': write batch.global (strong scaling) or batch.per_replica (weak)", hold));
  const bool weak = hold == "batch.per_replica";
  const int replica = s.parallelism.tensor * s.parallelism.pipeline;
  Axis axis;
  axis.paths = {"cluster.nodes", "parallelism.data"};
  if (weak) axis.paths.push_back("batch.global");
  axis.whole = true;
  for (const std::string& count : gpu_counts(text.substr(5))) {
    const auto number = split_number(count);
    if (!number || number->value < 1 || number->value != std::floor(number->value))
      throw SpecificationError(fmt::format("'{}' is no number of GPUs", count));
    const auto gpus = static_cast<std::int64_t>(number->value);
    const std::int64_t data = divided(gpus, replica, "tensor x pipeline");
    std::vector<std::string> values{fmt::format("{}", divided(gpus, s.cluster.node.gpus, "GPUs of a node")),
                                    fmt::format("{}", data)};
    if (weak) values.push_back(fmt::format("{}", s.batch.global / s.parallelism.data * data));
    axis.values.push_back(std::move(values));
    axis.numbers.push_back(static_cast<double>(gpus));
  }
  return axis;
}

std::string batch_advice(const Axis& axis, const scenario::Scenario& s) {
  constexpr std::int64_t too_large = std::int64_t{1} << 40;
  const bool grouped = s.parallelism.schedule == scenario::Schedule::interleaved_1f1b;
  const std::int64_t of_a_replica = s.batch.micro * (grouped ? s.parallelism.pipeline : 1);
  std::string sizes;
  std::int64_t all = 1;
  for (std::size_t i = 0; i < axis.size(); ++i) {
    if (axis.paths.size() > 2) continue;  // the batch grows with the replicas
    const std::int64_t unit = of_a_replica * std::stoll(axis.values[i][1]);
    all = std::min(std::lcm(all, unit), too_large);
    if (s.batch.global % unit != 0) sizes += (sizes.empty() ? "" : ", ") + report::thousands(axis.numbers[i]);
  }
  if (sizes.empty()) return "";
  const std::int64_t next = (s.batch.global + all - 1) / all * all;
  return fmt::format("batch.global {} does not divide at {} GPUs{}", s.batch.global, sizes,
                     all == too_large ? "" : fmt::format("; --set batch.global={} does at every size", next));
}

std::vector<ScalePoint> scale_points(const ResultFile& file) {
  const Axis& axis = file.grid().axes().front();
  std::vector<ScalePoint> points;
  for (std::uint64_t i = 0; i < axis.size(); ++i) {
    if (std::isnan(file.step_s(i))) continue;
    const Point p = file.read(i);
    const double gpus = axis.numbers[i];
    points.push_back({i, gpus, p.step_s, p.tokens_per_s_per_gpu * gpus, 1, 1, 1});
  }
  std::ranges::sort(points, {}, &ScalePoint::gpus);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const ScalePoint &first = points[0], &before = points[i - 1];
    ScalePoint& here = points[i];
    here.speedup = here.throughput / first.throughput;
    here.efficiency = here.speedup / (here.gpus / first.gpus);
    here.marginal = (here.throughput / before.throughput - 1) / (here.gpus / before.gpus - 1);
  }
  return points;
}

std::string scaling_text(const ResultFile& file) {
  const std::vector<ScalePoint> points = scale_points(file);
  if (points.empty()) return "\n  no size could be simulated\n";
  std::string text =
      fmt::format("\n  scaling with {} held\n  {:>8}  {:>9}  {:>14}  {:>8}  {:>10}  {:>8}  {}\n", file.header().scaling, "GPUs",
                  "step", "tokens/s", "speed-up", "efficiency", "marginal", "waits most for");
  for (const ScalePoint& p : points) {
    const Point point = file.read(p.index);
    const auto wait = std::ranges::find_if(point.causes, [](const Cause& c) { return c.kind != "kernel"; });
    text += fmt::format("  {:>8}  {:>9}  {:>14}  {:>7.2f}x  {:>10}  {:>8}  {}\n", report::thousands(p.gpus),
                        report::seconds(p.step_s), report::thousands(p.throughput), p.speedup, report::percent(p.efficiency),
                        report::percent(p.marginal), wait == point.causes.end() ? "nothing" : describe(*wait));
  }
  return text + "  " + verdict(file, points);
}

}  // namespace gridlock::sweep

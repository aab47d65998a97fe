#include "calibrate/report/page_data.hpp"

#include <algorithm>
#include <set>

#include "calibrate/fit/gemm_point.hpp"
#include "calibrate/report/accuracy.hpp"
#include "sim/model/gemm.hpp"

namespace gridlock::calibrate {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_others = 400;

Json repeats(const Point& point, Statistic statistic) {
  const auto [low, high] = std::minmax_element(point.seconds.begin(), point.seconds.end());
  return {{"label", point_label(point)}, {"measured", summary_s(point, statistic)}, {"low", *low}, {"high", *high}};
}

void add_work(Json& json, const Point& point) {
  if (point.benchmark == "gemm") {
    const model::GemmShape s = gemm_shape(point);
    const auto m = static_cast<double>(s.m), n = static_cast<double>(s.n), k = static_cast<double>(s.k),
               batch = static_cast<double>(s.batch);
    const auto dtype = point.labels.find("dtype");
    const double element = dtype == point.labels.end() ? 4 : bytes_of(dtype->second);
    json["flops"] = 2 * batch * m * n * k;
    json["bytes"] = batch * element * (m * k + k * n + m * n);
    return;
  }
  for (const char* name : {"bytes", "ranks", "nodes"})
    if (const auto found = point.numbers.find(name); found != point.numbers.end()) json[name] = found->second;
  json["kind"] = point.benchmark;
}

Json benchmark(const FittedBenchmark& b, Statistic statistic) {
  Json points = Json::array();
  for (std::size_t i = 0; i < b.points.size(); ++i) {
    Json json = repeats(b.points[i], statistic);
    const double measured = json["measured"].get<double>();
    json["fitted"] = measured * (1 + b.fit.error[i]);
    if (!b.preset_s.empty()) json["preset"] = b.preset_s[i];
    json["left_out"] = b.fit.left_out_error[i];
    json["outlier"] = static_cast<bool>(b.fit.outlier[i]);
    add_work(json, b.points[i]);
    points.push_back(std::move(json));
  }
  return {{"name", b.name}, {"points", std::move(points)}};
}

Json term(const FittedTerm& t, const MeasuredProfile& profile) {
  if (t.refused) return {{"name", t.name}, {"reason", t.reason}};
  return {{"name", t.name}, {"text", term_text(t, profile)}, {"relative_error", t.standard_error / t.value}};
}

Json others(const Calibration& c, const PointFile& measured) {
  std::set<std::string> fitted;
  for (const FittedBenchmark& b : c.fits)
    for (const Point& point : b.points) fitted.insert(point_label(point));
  Json list = Json::array();
  for (const Point& point : merged(measured.points))
    if (!fitted.contains(point_label(point)) && list.size() < most_others) list.push_back(repeats(point, c.statistic));
  for (const Point& point : measured.points)
    if (!point.error.empty() && list.size() < most_others)
      list.push_back({{"label", point_label(point)}, {"error", point.error}});
  return list;
}

}  // namespace

Json page_data(const Calibration& c, const PointFile& measured) {
  Json data{{"device", c.host ? c.host->name : c.profile.gpu}, {"base", c.profile.base}, {"kept", c.profile.kept}};
  data["statistic"] = c.statistic == Statistic::fastest ? "fastest" : "median";
  data["provenance"] = c.profile.provenance;
  data["terms"] = Json::array();
  data["accuracy"] = Json::array();
  data["benchmarks"] = Json::array();
  const auto pair = [](const Quantiles& q) { return Json::array({q.median, q.ninety}); };
  for (const FittedBenchmark& b : c.fits) {
    for (const FittedTerm& t : b.fit.terms) data["terms"].push_back(term(t, c.profile));
    const Accuracy a = accuracy(b, c.statistic);
    data["accuracy"].push_back({{"benchmark", a.benchmark},
                                {"points", a.points},
                                {"outliers", a.outliers},
                                {"scatter", a.scatter},
                                {"before", a.before ? pair(*a.before) : Json()},
                                {"after", pair(a.after)},
                                {"left_out", pair(a.left_out)}});
    data["benchmarks"].push_back(benchmark(b, c.statistic));
  }
  if (c.roofline)
    data["roofline"] = {{"dtype", c.roofline->dtype},
                        {"peak_flops", c.roofline->device.peak_flops},
                        {"bytes_per_s", c.roofline->device.hbm_bytes_per_s},
                        {"ceiling", c.roofline->ceiling},
                        {"memory_efficiency", c.roofline->memory_efficiency}};
  data["others"] = others(c, measured);
  return data;
}

}  // namespace gridlock::calibrate

#include "sim/sweep/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/format.hpp"
#include "sim/report/version.hpp"
#include "sim/sweep/cables.hpp"
#include "sim/sweep/number.hpp"
#include "sim/sweep/paths.hpp"
#include "sim/sweep/run.hpp"

namespace gridlock::sweep {
namespace {

using Json = nlohmann::ordered_json;

std::string scaled(const Number& number, double factor) { return fmt::format("{:.12g}{}", number.value * factor, number.unit); }

void add_number(const std::string& path, const Json& value, std::vector<Parameter>& parameters) {
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  const auto number = split_number(text);
  if (!number || number->value == 0 || check_path(path)) return;  // whole numbers have no tenth more
  parameters.push_back({"", path, text, scaled(*number, change), scaled(*number, 1 / change)});
}

void add_numbers(const std::string& path, const Json& value, std::vector<Parameter>& parameters) {
  if (value.is_string() || value.is_number()) add_number(path, value, parameters);
  if (!value.is_object()) return;
  for (const auto& [key, inner] : value.items()) add_numbers(path + "." + key, inner, parameters);
}

Task task_of(const Parameter& p, bool more) {
  Task task;
  if (p.cable.empty())
    task.overrides = {p.path + "=" + (more ? p.more : p.less)};
  else
    task.scaled_cables = p.cable, task.scale = more ? change : 1 / change;
  return task;
}

void differentiate(Effect& e, double base_s) {
  const double step = std::log(change);
  if (e.more_s && e.less_s)
    e.derivative_s = (*e.more_s - *e.less_s) / (2 * step);
  else if (e.more_s)
    e.derivative_s = (*e.more_s - base_s) / step;
  else if (e.less_s)
    e.derivative_s = (base_s - *e.less_s) / step;
  e.elasticity = e.derivative_s / base_s;
}

std::string signed_seconds(const std::optional<double>& step_s, double base_s) {
  if (!step_s) return "-";
  const double by = *step_s - base_s;
  if (std::abs(by) < 1e-9 * base_s) return "0 s";
  return (by > 0 ? "+" : "-") + report::seconds(std::abs(by));
}

}  // namespace

std::vector<Parameter> parameters_of(const scenario::Scenario& s, const Point& base) {
  std::vector<Parameter> parameters;
  for (const std::string& cable : cables_used(base))
    parameters.push_back({cable, "", "1", fmt::format("{:g}", change), fmt::format("{:.4g}", 1 / change)});
  const Json resolved = Json::parse(s.resolved_json);
  add_numbers("cluster.node.gpu.peak", resolved.at("cluster").at("node").at("gpu").at("peak"), parameters);
  add_numbers("cluster.node.gpu.memory_bandwidth", resolved.at("cluster").at("node").at("gpu").at("memory_bandwidth"),
              parameters);
  add_numbers("profile", resolved.at("profile"), parameters);
  return parameters;
}

std::vector<Effect> find_effects(Workers& workers, const std::vector<Parameter>& parameters, const Point& base) {
  std::vector<Effect> effects;
  for (const Parameter& p : parameters) effects.push_back({p, {}, {}, 0, 0});
  // Task 2 i is parameter i with more of it, task 2 i + 1 with less.
  std::size_t at = 0;
  const auto next = [&]() -> std::optional<Task> {
    if (at == 2 * parameters.size()) return std::nullopt;
    Task task = task_of(parameters[at / 2], at % 2 == 0);
    task.place.index = static_cast<std::int64_t>(at++);
    return task;
  };
  run_tasks(workers, next, [&](const Outcome& outcome) {
    const Point point = point_of_json(Json::parse(outcome.line));
    if (point.failed()) return;
    Effect& e = effects[static_cast<std::size_t>(point.index / 2)];
    (point.index % 2 == 0 ? e.more_s : e.less_s) = point.step_s;
  });
  for (Effect& e : effects) differentiate(e, base.step_s);
  std::ranges::stable_sort(effects, std::greater{}, [](const Effect& e) { return std::abs(e.derivative_s); });
  return effects;
}

std::string effects_text(const std::vector<Effect>& effects, const Point& base) {
  std::string text = fmt::format(
      "\n  step time {}; each value a tenth up and down, simulated again\n\n  {:<44} {:>14}  {:>10}  {:>10}  {:>12}  {:>10}\n",
      report::seconds(base.step_s), "", "now", "10 % more", "10 % less", "d step/d log", "elasticity");
  std::size_t without = 0;
  for (const Effect& e : effects) {
    const auto none = [&](const std::optional<double>& s) { return !s || std::abs(*s - base.step_s) < 1e-9 * base.step_s; };
    if (none(e.more_s) && none(e.less_s)) {
      ++without;
      continue;
    }
    text += fmt::format("  {:<44} {:>14}  {:>10}  {:>10}  {:>12}  {:>+10.4f}\n", e.parameter.name(),
                        e.parameter.cable.empty() ? e.parameter.now : "cables", signed_seconds(e.more_s, base.step_s),
                        signed_seconds(e.less_s, base.step_s), signed_seconds(base.step_s + e.derivative_s, base.step_s),
                        e.elasticity);
  }
  if (without > 0) text += fmt::format("  {} more make no difference\n", without);
  const auto best = std::ranges::find_if(
      effects, [&](const Effect& e) { return !e.parameter.cable.empty() && e.more_s && *e.more_s < base.step_s; });
  if (best != effects.end())
    text += fmt::format("\n  the first ten percent of bandwidth belong on {}: {}\n", best->parameter.cable,
                        signed_seconds(best->more_s, base.step_s));
  return text;
}

Json effects_json(const std::vector<Effect>& effects, const Point& base) {
  Json list = Json::array();
  for (const Effect& e : effects) {
    Json json{{"kind", e.parameter.cable.empty() ? "parameter" : "cable"}, {"name", e.parameter.name()}};
    if (e.parameter.cable.empty()) json["value"] = e.parameter.now;
    json["more_s"] = e.more_s ? Json(*e.more_s) : Json();
    json["less_s"] = e.less_s ? Json(*e.less_s) : Json();
    json["derivative_s"] = e.derivative_s;
    json["elasticity"] = e.elasticity;
    list.push_back(std::move(json));
  }
  return {{"schema", "gridlock.sensitivity/1"},
          {"version", report::version()},
          {"step_s", base.step_s},
          {"change", change},
          {"effects", std::move(list)}};
}

}  // namespace gridlock::sweep

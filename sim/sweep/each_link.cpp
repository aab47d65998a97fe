#include "sim/sweep/each_link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/report/format.hpp"
#include "sim/report/version.hpp"
#include "sim/sweep/cables.hpp"
#include "sim/sweep/degrade.hpp"
#include "sim/sweep/run.hpp"

namespace gridlock::sweep {
namespace {

using Json = nlohmann::ordered_json;

// "a:b" and "b:a" are one cable.
std::string without_direction(const std::string& pattern) {
  const std::size_t colon = pattern.find(':'), hash = std::min(pattern.find('#'), pattern.size());
  const std::string a = pattern.substr(0, colon), b = pattern.substr(colon + 1, hash - colon - 1);
  return std::min(a, b) + ":" + std::max(a, b) + pattern.substr(hash);
}

std::string lost_text(double factor) { return factor == 0 ? "down" : fmt::format("at {:g} of its bandwidth", factor); }

}  // namespace

Json link_classes_json(const report::RunReport& r) {
  Json list = Json::array();
  std::set<std::string> seen;
  for (engine::Index k = 0; k < r.simulation.problem.links.size(); ++k) {
    const engine::LinkClass& link = r.simulation.problem.links[k];
    const std::uint64_t cables = r.simulation.fabric.link(link.example).cables;
    const std::string pattern = cable_pattern(r.names.link_example(k), cables);
    if (seen.insert(without_direction(pattern)).second)
      list.push_back({{"name", r.names.link(k)}, {"pattern", pattern}, {"members", link.members * cables}});
  }
  return list;
}

std::vector<LinkClass> link_classes_of_json(const Json& json) {
  std::vector<LinkClass> classes;
  for (const Json& one : json) classes.push_back({one.at("name"), one.at("pattern"), one.at("members")});
  return classes;
}

std::vector<LinkLoss> lose_each(Workers& workers, const std::vector<LinkClass>& classes, double factor) {
  std::vector<LinkLoss> losses;
  for (const LinkClass& link : classes) losses.push_back({link, 0, ""});
  std::size_t at = 0;
  const auto next = [&]() -> std::optional<Task> {
    if (at == classes.size()) return std::nullopt;
    Task task;
    task.overrides = {link_fault_override(classes[at].pattern, factor)};
    task.place.index = static_cast<std::int64_t>(at++);
    return task;
  };
  run_tasks(workers, next, [&](const Outcome& outcome) {
    const Point point = point_of_json(Json::parse(outcome.line));
    LinkLoss& loss = losses[static_cast<std::size_t>(point.index)];
    loss.step_s = point.step_s;
    loss.error = point.error;
  });
  std::ranges::stable_sort(losses, [](const LinkLoss& a, const LinkLoss& b) {
    return std::pair(a.error.empty(), -a.step_s) < std::pair(b.error.empty(), -b.step_s);
  });
  return losses;
}

namespace {

constexpr std::size_t most_without_step = 3;

// Without the place in a setting that the user did not write.
std::string reason(const std::string& error) {
  const std::size_t end = error.find(": ");
  return error.starts_with("--set:") && end != std::string::npos ? error.substr(end + 2) : error;
}

}  // namespace

std::string losses_text(const std::vector<LinkLoss>& losses, const Point& base, double factor) {
  std::string text = fmt::format("\n  step time {}; one cable of each class {}\n\n  {:<46} {:>8}  {:<34} {:>10} {:>8}\n",
                                 report::seconds(base.step_s), lost_text(factor), "class of links", "cables",
                                 "the one that was lost", "step", "cost");
  std::size_t without_step = 0;
  for (const LinkLoss& l : losses) {
    if (!l.error.empty() && ++without_step > most_without_step) continue;
    text +=
        fmt::format("  {:<46} {:>8}  {:<34} ", report::clip(l.link.name, 46), l.link.members, report::clip(l.link.pattern, 34));
    text += l.error.empty() ? fmt::format("{:>10} {:>+6.2f} %\n", report::seconds(l.step_s), 100 * (l.step_s / base.step_s - 1))
                            : "no step: " + report::clip(reason(l.error), 100) + "\n";
  }
  if (without_step > most_without_step)
    text += fmt::format("  and {} classes more without which there is no step (--json has them all)\n",
                        without_step - most_without_step);
  return text;
}

Json losses_json(const std::vector<LinkLoss>& losses, const Point& base, double factor) {
  Json list = Json::array();
  for (const LinkLoss& l : losses) {
    Json json{{"name", l.link.name}, {"pattern", l.link.pattern}, {"members", l.link.members}};
    if (l.error.empty())
      json["step_s"] = l.step_s, json["cost_s"] = l.step_s - base.step_s;
    else
      json["error"] = l.error;
    list.push_back(std::move(json));
  }
  return {{"schema", "gridlock.each_link/1"},
          {"version", report::version()},
          {"step_s", base.step_s},
          {"factor", factor},
          {"links", std::move(list)}};
}

}  // namespace gridlock::sweep

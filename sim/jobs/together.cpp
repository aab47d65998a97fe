#include "sim/jobs/together.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/analysis/rank_states.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/jobs/merge.hpp"
#include "sim/parallel/step_builder.hpp"
#include "sim/report/names.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/load.hpp"
#include "sim/whatif/trials.hpp"

namespace gridlock::jobs {
namespace {

using analysis::History;
using engine::none;

constexpr int most_steps = 200;  // a task numbers its step in a byte

// When each step of a job ended, over its ranks.
std::vector<double> step_ends(const Union& jobs, const engine::Simulation& s, Index job) {
  std::vector<double> ends;
  for (std::size_t k = 0; k < s.problem.ranks.size(); ++k) {
    const Index program = s.problem.ranks[k].program;
    if (jobs.job_of_program[program] != job) continue;
    const std::vector<std::uint8_t>& steps = jobs.steps_of_tasks[program];
    for (std::size_t t = 0; t < steps.size(); ++t) {
      if (steps[t] >= ends.size()) ends.resize(steps[t] + std::size_t{1}, 0);
      ends[steps[t]] = std::max(ends[steps[t]], s.timeline.ranks[k].tasks[t].finish);
    }
  }
  return ends;
}

// Bytes by link class and job in the window.
class Contest {
 public:
  Contest(const Union& jobs, const engine::Simulation& s)
      : s_(s), jobs_(jobs.first_rank.size()), job_of_flow_(s.problem.flows.size(), 0) {
    for (const engine::CommunicatorClass& c : s.problem.communicators)
      for (const engine::FlowRange& range : c.patterns)
        for (Index f : range.flows) job_of_flow_[f] = job_of_class(jobs, c.rank_classes.front());
    for (const engine::MessageClass& m : s.problem.messages) job_of_flow_[m.flow] = job_of_class(jobs, m.from);
  }

  std::vector<Contested> links(double from, double to) const {
    std::vector<std::vector<double>> bytes(s_.problem.links.size(), std::vector<double>(jobs_, 0));
    for (const engine::FlowRecord& r : s_.timeline.flows) {
      const double overlap = std::min(r.finish, to) - std::max(r.start, from);
      if (overlap <= 0 || r.finish <= r.start) continue;
      const engine::FlowClass& flow = s_.problem.flows[r.flow];
      for (std::uint32_t i = flow.first_link; i < flow.first_link + flow.link_count; ++i) {
        const engine::FlowLink& hop = s_.problem.flow_links[i];
        bytes[hop.link][job_of_flow_[r.flow]] += r.bytes * hop.weight * overlap / (r.finish - r.start);
      }
    }
    const report::Names names(s_);
    std::vector<Contested> contested;
    for (Index k = 0; k < bytes.size(); ++k) {
      if (std::ranges::count_if(bytes[k], [](double of_job) { return of_job > 0; }) < 2) continue;
      const engine::LinkClass& link = s_.problem.links[k];
      for (double& of_job : bytes[k]) of_job /= link.bytes_per_s * (to - from);
      contested.push_back({names.link(k), link.members, link.bytes_per_s, std::move(bytes[k])});
    }
    std::ranges::stable_sort(contested, std::greater{}, &Contested::load);
    return contested;
  }

 private:
  Index job_of_class(const Union& jobs, Index rank_class) const {
    return jobs.job_of_program[s_.problem.ranks[rank_class].program];
  }
  const engine::Simulation& s_;
  std::size_t jobs_;
  std::vector<Index> job_of_flow_;
};

// Mean over the job's GPUs, per second of the window.
analysis::Seconds states_of(const Union& jobs, const engine::Simulation& s, Index job) {
  const History history(s.problem, s.timeline);
  analysis::Seconds mean{};
  double gpus = 0;
  for (Index k = 0; k < s.problem.ranks.size(); ++k) {
    if (jobs.job_of_program[s.problem.ranks[k].program] != job) continue;
    const double members = s.problem.ranks[k].members;
    gpus += members;
    analysis::visit_states(history, k, [&](const analysis::Interval& i) { at(mean, i.state) += members * (i.end - i.start); });
  }
  for (double& seconds : mean) seconds /= gpus * s.timeline.step_seconds();
  return mean;
}

struct Measured {
  std::vector<double> ends;  // by job: before that of the reference, and it ran too few steps
  Together together;
};

// A step of another job beside the reference: the mean over those that end in the window.
void measure_other(const std::vector<double>& ends, double from, double to, JobTimes& times) {
  const double slack = 1e-9 * to;
  double sum = 0;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const bool in_window = ends[i] > from + slack && ends[i] <= to + slack;
    const bool only_choice = times.steps == 0 && ends[i] > to;  // its steps are longer than the window
    if (!in_window && !only_choice) continue;
    sum += ends[i] - ends[i - 1];
    ++times.steps;
  }
  times.together_s = sum / times.steps;
}

Measured simulate_union(const Scenarios& scenarios, std::size_t reference, const std::vector<int>& steps, bool fold) {
  std::vector<Job> all;
  for (std::size_t j = 0; j < scenarios.size(); ++j) {
    scenario::Scenario s = *scenarios[j];
    s.steps = steps[j];
    all.push_back({s.name, parallel::build_step_graph(s)});
  }
  Union jobs = merge(std::move(all), reference);
  const scenario::Scenario& s = *scenarios[0];
  const auto simulation = engine::simulate(topology::build_fabric(s.cluster, s.profile.links, s.faults.links), jobs.graph,
                                           {.tuning = s.profile.tuning, .forced = {}}, s.seed, {.fold = fold});
  std::vector<std::vector<double>> ends;
  for (Index j = 0; j < scenarios.size(); ++j) ends.push_back(step_ends(jobs, *simulation, j));
  const std::vector<double>& window = ends[reference];
  const double from = window.size() > 1 ? window[window.size() - 2] : 0, to = window.back();
  simulation->timeline.step_end.back() = to;  // the window is the reference's, whatever the other jobs still do
  Measured m;
  m.together.window_s = to - from;
  m.together.activities = simulation->timeline.activities;
  m.together.links = Contest(jobs, *simulation).links(from, to);
  for (Index j = 0; j < scenarios.size(); ++j) {
    JobTimes& times = m.together.jobs.emplace_back();
    m.ends.push_back(ends[j].back());
    times.beside = states_of(jobs, *simulation, j);
    if (j == reference)
      times.together_s = to - from, times.steps = 1;
    else if (ends[j].back() >= to)
      measure_other(ends[j], from, to, times);
  }
  return m;
}

nlohmann::json to_json(const Measured& m) {
  nlohmann::json json{{"ends", m.ends},
                      {"window_s", m.together.window_s},
                      {"activities", m.together.activities},
                      {"links", nlohmann::json::array()},
                      {"jobs", nlohmann::json::array()}};
  for (const Contested& l : m.together.links) json["links"].push_back({l.name, l.members, l.capacity_bytes_per_s, l.utilization});
  for (const JobTimes& j : m.together.jobs) json["jobs"].push_back({j.together_s, j.steps, j.beside});
  return json;
}

Measured from_json(const nlohmann::json& json) {
  Measured m{json.at("ends"), {}};
  m.together.window_s = json.at("window_s");
  m.together.activities = json.at("activities");
  for (const auto& l : json.at("links")) m.together.links.push_back({l.at(0), l.at(1), l.at(2), l.at(3)});
  for (const auto& j : json.at("jobs")) {
    JobTimes& times = m.together.jobs.emplace_back();
    j.at(0).get_to(times.together_s);
    j.at(1).get_to(times.steps);
    j.at(2).get_to(times.beside);
  }
  return m;
}

int checked_steps(const Scenarios& scenarios, std::size_t job, std::size_t reference, double wanted) {
  if (wanted <= most_steps) return static_cast<int>(wanted);
  throw scenario::InvalidScenario(
      scenario::locate(*scenarios[job], "batch",
                       fmt::format("a step of {} lasts as long as more than {} of {}: too different to run side by side",
                                   scenarios[reference]->name, most_steps / 3, scenarios[job]->name),
                       "give the shorter one a larger batch"));
}

}  // namespace

double Contested::load() const { return std::accumulate(utilization.begin(), utilization.end(), 0.0); }

Together run_together(const Scenarios& scenarios, bool fold) {
  std::vector<whatif::Outcome> alone;
  for (const scenario::Scenario* s : scenarios) alone.push_back(whatif::Trials(*s, fold).run({}));
  const auto longest = std::ranges::max_element(alone, {}, &whatif::Outcome::step_s);
  const auto reference = static_cast<std::size_t>(longest - alone.begin());
  whatif::ForkServer server([&](const std::string& request) {
    return to_json(simulate_union(scenarios, reference, nlohmann::json::parse(request), fold)).dump();
  });
  // Beside other jobs steps take longer, the reference's too: a guess, and more steps when it was not enough.
  std::vector<int> steps;
  for (std::size_t j = 0; j < scenarios.size(); ++j) {
    const double guess = 1.25 * longest->step_s / alone[j].step_s * scenarios[reference]->steps;
    const int own = scenarios[j]->steps;
    steps.push_back(j == reference ? own : checked_steps(scenarios, j, reference, std::max<double>(own, std::ceil(guess) + 1)));
  }
  Measured measured;
  for (bool enough = false; !enough;) {
    measured = from_json(nlohmann::json::parse(server.ask(nlohmann::json(steps).dump())));
    enough = true;
    for (std::size_t j = 0; j < scenarios.size(); ++j) {
      const double ratio = measured.ends[reference] / measured.ends[j];
      if (ratio <= 1) continue;
      enough = false;
      steps[j] = checked_steps(scenarios, j, reference, std::max(steps[j] + 2.0, std::ceil(1.1 * steps[j] * ratio) + 1));
    }
  }
  for (std::size_t j = 0; j < scenarios.size(); ++j) {
    JobTimes& times = measured.together.jobs[j];
    times.name = scenarios[j]->name;
    times.gpus = scenarios[j]->parallelism.ranks();
    times.alone_s = alone[j].step_s;
    times.alone = alone[j].mean;
  }
  return measured.together;
}

}  // namespace gridlock::jobs

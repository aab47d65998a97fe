#include "sim/jobs/together.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/analysis/rank_states.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/jobs/merge.hpp"
#include "sim/parallel/step_builder.hpp"
#include "sim/report/names.hpp"
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
  Contest(const Union& jobs, const engine::Simulation& s) : s_(s), job_of_flow_(s.problem.flows.size(), 0) {
    for (const engine::CommunicatorClass& c : s.problem.communicators)
      for (const engine::FlowRange& range : c.patterns)
        for (Index f : range.flows) job_of_flow_[f] = job_of_class(jobs, c.rank_classes.front());
    for (const engine::MessageClass& m : s.problem.messages) job_of_flow_[m.flow] = job_of_class(jobs, m.from);
  }

  std::vector<Contested> links(double from, double to) const {
    std::vector<std::array<double, 2>> bytes(s_.problem.links.size(), {0, 0});
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
      if (bytes[k][0] <= 0 || bytes[k][1] <= 0) continue;
      const engine::LinkClass& link = s_.problem.links[k];
      const double all = link.bytes_per_s * (to - from);
      contested.push_back({names.link(k), link.members, link.bytes_per_s, {bytes[k][0] / all, bytes[k][1] / all}});
    }
    std::stable_sort(contested.begin(), contested.end(), [](const Contested& a, const Contested& b) {
      return a.utilization[0] + a.utilization[1] > b.utilization[0] + b.utilization[1];
    });
    return contested;
  }

 private:
  Index job_of_class(const Union& jobs, Index rank_class) const {
    return jobs.job_of_program[s_.problem.ranks[rank_class].program];
  }
  const engine::Simulation& s_;
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
  double reference_end = 0, other_end = 0;  // other_end < reference_end: the other job ran too few steps
  Together together;
};

// A step of the other job beside the reference: the mean over those that end in the window.
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

Measured simulate_union(const std::array<const scenario::Scenario*, 2>& scenarios, std::size_t reference, int other_steps,
                        bool fold) {
  std::vector<Job> all;
  for (std::size_t j = 0; j < 2; ++j) {
    scenario::Scenario s = *scenarios[j];
    if (j != reference) s.steps = other_steps;
    all.push_back({s.name, parallel::build_step_graph(s)});
  }
  Union jobs = merge(std::move(all), reference);
  const scenario::Scenario& s = *scenarios[0];
  const auto simulation = engine::simulate(topology::build_fabric(s.cluster, s.profile.links, s.faults.links), jobs.graph,
                                           {.tuning = s.profile.tuning, .forced = {}}, s.seed, {.fold = fold});
  const auto other = static_cast<Index>(1 - reference);
  const std::vector<double> ends = step_ends(jobs, *simulation, static_cast<Index>(reference)),
                            other_ends = step_ends(jobs, *simulation, other);
  const double from = ends.size() > 1 ? ends[ends.size() - 2] : 0, to = ends.back();
  simulation->timeline.step_end.back() = to;  // the window is the reference's, whatever the other job still does
  Measured m{to, other_ends.back(), {}};
  m.together.window_s = to - from;
  m.together.activities = simulation->timeline.activities;
  m.together.links = Contest(jobs, *simulation).links(from, to);
  for (Index j = 0; j < 2; ++j) m.together.jobs[j].beside = states_of(jobs, *simulation, j);
  m.together.jobs[reference].together_s = to - from;
  m.together.jobs[reference].steps = 1;
  if (m.other_end >= m.reference_end) measure_other(other_ends, from, to, m.together.jobs[other]);
  return m;
}

nlohmann::json to_json(const Measured& m) {
  nlohmann::json json{{"ends", {m.reference_end, m.other_end}},
                      {"window_s", m.together.window_s},
                      {"activities", m.together.activities},
                      {"links", nlohmann::json::array()},
                      {"jobs", nlohmann::json::array()}};
  for (const Contested& l : m.together.links)
    json["links"].push_back({l.name, l.members, l.capacity_bytes_per_s, l.utilization[0], l.utilization[1]});
  for (const JobTimes& j : m.together.jobs) json["jobs"].push_back({j.together_s, j.steps, j.beside});
  return json;
}

Measured from_json(const nlohmann::json& json) {
  Measured m{json.at("ends").at(0), json.at("ends").at(1), {}};
  m.together.window_s = json.at("window_s");
  m.together.activities = json.at("activities");
  for (const auto& l : json.at("links")) m.together.links.push_back({l.at(0), l.at(1), l.at(2), {l.at(3), l.at(4)}});
  for (std::size_t j = 0; j < 2; ++j) {
    const auto& one = json.at("jobs").at(j);
    one.at(0).get_to(m.together.jobs[j].together_s);
    one.at(1).get_to(m.together.jobs[j].steps);
    one.at(2).get_to(m.together.jobs[j].beside);
  }
  return m;
}

}  // namespace

Together run_together(const scenario::Scenario& first, const scenario::Scenario& second, bool fold) {
  const std::array<const scenario::Scenario*, 2> scenarios{&first, &second};
  std::array<whatif::Outcome, 2> alone;
  for (std::size_t j = 0; j < 2; ++j) alone[j] = whatif::Trials(*scenarios[j], fold).run({});
  const std::size_t reference = alone[1].step_s > alone[0].step_s ? 1 : 0;
  whatif::ForkServer server(
      [&](const std::string& request) { return to_json(simulate_union(scenarios, reference, std::stoi(request), fold)).dump(); });
  // Beside another job steps take longer, the reference's too: a guess, and more steps when it was not enough.
  double ratio = 1.25 * alone[reference].step_s / alone[1 - reference].step_s * scenarios[reference]->steps;
  Measured measured;
  do {
    const int steps = std::max(scenarios[1 - reference]->steps, static_cast<int>(std::ceil(ratio)) + 1);
    if (steps > most_steps)
      throw whatif::WorkerFailed("one step of one job takes more than " + std::to_string(most_steps / 3) + " of the other's");
    measured = from_json(nlohmann::json::parse(server.ask(std::to_string(steps))));
    ratio = std::max(steps + 1.0, 1.1 * steps * measured.reference_end / measured.other_end);
  } while (measured.other_end < measured.reference_end);
  for (std::size_t j = 0; j < 2; ++j) {
    JobTimes& times = measured.together.jobs[j];
    times.name = scenarios[j]->name;
    times.gpus = scenarios[j]->parallelism.ranks();
    times.alone_s = alone[j].step_s;
    times.alone = alone[j].mean;
  }
  return measured.together;
}

}  // namespace gridlock::jobs

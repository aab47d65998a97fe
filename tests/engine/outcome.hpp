// All that a simulation says, by rank and by link and so comparable between folded and full: what the oracle tests compare.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "run_in_child.hpp"
#include "sim/analysis/breakdown.hpp"
#include "sim/analysis/critical_path.hpp"
#include "sim/engine/deadlock.hpp"
#include "sim/engine/simulate.hpp"

namespace gridlock::engine::test {

struct Outcome {
  std::vector<double> totals;      // step seconds, critical path, mean breakdown: see `measure`
  std::vector<double> times;       // start and finish of every task of every rank, rank by rank
  std::vector<double> breakdown;   // by rank and state
  std::vector<double> link_bytes;  // by LinkId, in the reported step
  std::vector<double> path;        // critical path by state, and latency
  std::vector<double> counts;      // members of rank, link and flow classes; classes of ranks; activities

  std::vector<std::vector<double>*> parts() { return {&totals, &times, &breakdown, &link_bytes, &path, &counts}; }
};

inline Outcome measure(const Simulation& s) {
  Outcome o;
  const analysis::History history(s.problem, s.timeline);
  const analysis::LinkLoads loads = analysis::measure_loads(history);
  const analysis::Breakdown breakdown = analysis::break_down(history, analysis::Bottlenecks(history, loads));
  const analysis::CriticalPath path = analysis::find_critical_path(history);
  const auto sum = [](const auto& seconds) { return std::accumulate(seconds.begin(), seconds.end(), 0.0); };
  o.totals = {s.timeline.step_seconds(), sum(path.seconds) + path.latency_s, analysis::at(path.seconds, analysis::State::other),
              sum(breakdown.mean), s.worst_weight_rounding};

  for (Index c : s.problem.class_of_rank) {
    for (const TaskTime& time : s.timeline.ranks[c].tasks) o.times.insert(o.times.end(), {time.start, time.finish});
    o.breakdown.insert(o.breakdown.end(), breakdown.ranks[c].seconds.begin(), breakdown.ranks[c].seconds.end());
  }
  for (Index c : s.problem.class_of_link) o.link_bytes.push_back(c == none ? 0 : loads.bytes[c]);
  o.path.assign(path.seconds.begin(), path.seconds.end());
  o.path.push_back(path.latency_s);
  double ranks = 0, links = 0, flows = 0;
  for (const RankClass& rank : s.problem.ranks) ranks += rank.members;
  for (const LinkClass& link : s.problem.links) links += link.members;
  for (const FlowClass& flow : s.problem.flows) flows += flow.members;
  o.counts = {ranks, links, flows, static_cast<double>(s.problem.ranks.size()), static_cast<double>(s.timeline.activities)};
  return o;
}

// `make` returns the Simulation; it runs in a process of its own.
template <class Make>
Outcome measure_in_child(Make make) {
  const std::vector<double> flat = run_in_child([&] {
    Outcome o = measure(*make());
    std::vector<double> all;
    for (const std::vector<double>* part : o.parts()) {
      all.push_back(static_cast<double>(part->size()));
      all.insert(all.end(), part->begin(), part->end());
    }
    return all;
  });
  Outcome o;
  auto at = flat.begin();
  for (std::vector<double>* part : o.parts()) {
    const auto size = static_cast<std::ptrdiff_t>(*at++);
    part->assign(at, at + size);
    at += size;
  }
  return o;
}

inline bool agree(double a, double b, double scale = 0) {
  return std::abs(a - b) <= 1e-9 * std::max({std::abs(a), std::abs(b), scale});
}

// The invariants of one run: the parts of the breakdown and of the critical path add up to the step, nothing is unexplained.
inline void expect_sound(const Outcome& o, const std::string& which) {
  const double step = o.totals[0];
  EXPECT_GT(step, 0) << which;
  EXPECT_TRUE(agree(step, o.totals[1])) << which << ": critical path " << o.totals[1] << " s of " << step;
  EXPECT_LE(o.totals[2], 1e-9 * step) << which << ": unexplained time on the critical path";
  EXPECT_TRUE(agree(step, o.totals[3])) << which << ": breakdown " << o.totals[3] << " s of " << step;
  const std::size_t states = analysis::state_count;
  for (std::size_t r = 0; r < o.breakdown.size() / states; ++r) {
    const auto first = o.breakdown.begin() + static_cast<std::ptrdiff_t>(r * states);
    ASSERT_TRUE(agree(step, std::accumulate(first, first + states, 0.0))) << which << ": breakdown of rank " << r;
    ASSERT_LE(first[static_cast<std::ptrdiff_t>(analysis::State::other)], 1e-9 * step)
        << which << ": unexplained time of rank " << r;
  }
}

// Names the first task whose times differ, and by how much.
inline void expect_equal_times(const parallel::StepGraph& graph, const Outcome& folded, const Outcome& full) {
  ASSERT_EQ(folded.times.size(), full.times.size());
  std::size_t i = 0, differing = 0;
  double worst = 0;
  std::string first;
  for (std::size_t rank = 0; rank < graph.rank_program.size(); ++rank)
    for (const parallel::Task& task : graph.programs[graph.rank_program[rank]].tasks)
      for (const char* end : {"start", "finish"}) {
        const double a = folded.times[i], b = full.times[i];
        ++i;
        if (agree(a, b)) continue;
        if (first.empty())
          first = "rank " + std::to_string(rank) + ", " + describe_task(graph, task) + ": " + end + " " +
                  std::to_string(a * 1e6) + " us folded, " + std::to_string(b * 1e6) + " us full";
        ++differing;
        worst = std::max(worst, std::abs(a - b) / std::max(std::abs(a), std::abs(b)));
      }
  EXPECT_EQ(differing, 0u) << "of " << i << " times; worst relative difference " << worst << "; first: " << first;
}

// The oracle: folded against full, number by number.
inline void expect_equal(const parallel::StepGraph& graph, const Outcome& folded, const Outcome& full) {
  expect_sound(folded, "folded");
  expect_sound(full, "full");
  const double step = full.totals[0];
  EXPECT_TRUE(agree(folded.totals[0], step)) << "step " << folded.totals[0] << " folded, " << step << " full";
  EXPECT_EQ(folded.totals[4], 0) << "link weights were rounded";
  EXPECT_EQ(full.totals[4], 0) << "link weights were rounded";
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_EQ(folded.counts[k], full.counts[k]) << "class members do not add up (ranks, links, flows: " << k << ")";
  EXPECT_EQ(full.counts[0], full.counts[3]) << "the full run merges ranks";
  expect_equal_times(graph, folded, full);

  ASSERT_EQ(folded.link_bytes.size(), full.link_bytes.size());
  for (std::size_t l = 0; l < full.link_bytes.size(); ++l)
    ASSERT_TRUE(agree(folded.link_bytes[l], full.link_bytes[l]))
        << "link " << l << ": " << folded.link_bytes[l] << " bytes folded, " << full.link_bytes[l] << " full";
  ASSERT_EQ(folded.breakdown.size(), full.breakdown.size());
  for (std::size_t i = 0; i < full.breakdown.size(); ++i)
    ASSERT_TRUE(agree(folded.breakdown[i], full.breakdown[i], step))
        << "rank " << i / analysis::state_count << ", " << analysis::state_names[i % analysis::state_count] << ": "
        << folded.breakdown[i] << " s folded, " << full.breakdown[i] << " s full";
}

}  // namespace gridlock::engine::test

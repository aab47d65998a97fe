#include "sim/engine/max_min.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <stdexcept>

namespace gridlock::engine {
namespace {

constexpr double rounding = 1e-12;  // sums of a few thousand doubles agree to this

std::span<const FlowLink> hops(const Problem& problem, Index flow) {
  const FlowClass& f = problem.flows[flow];
  return {problem.flow_links.data() + f.first_link, f.link_count};
}

}  // namespace

MaxMin::MaxMin(const Problem& problem)
    : problem_(problem), links_(problem.links.size()), flows_(problem.flows.size()), place_(problem.flow_links.size()) {}

const std::vector<Index>& MaxMin::add(Index flow, double cap) {
  if (hops(problem_, flow).empty()) throw std::logic_error("a flow without links has no rate");
  flows_[flow] = {.cap = cap};
  for (std::uint32_t hop = problem_.flows[flow].first_link; const FlowLink& crossed : hops(problem_, flow)) {
    std::vector<Crossing>& crossings = links_[crossed.link].crossings;
    place_[hop] = static_cast<std::uint32_t>(crossings.size());
    crossings.push_back({flow, hop++, crossed.weight});
  }
  set_free(flow);
  return mend();
}

const std::vector<Index>& MaxMin::remove(Index flow) {
  for (std::uint32_t hop = problem_.flows[flow].first_link; const FlowLink& crossed : hops(problem_, flow)) {
    std::vector<Crossing>& crossings = links_[crossed.link].crossings;
    crossings[place_[hop]] = crossings.back();
    place_[crossings.back().hop] = place_[hop];
    crossings.pop_back();
    ++hop;
  }
  for (const FlowLink& crossed : hops(problem_, flow))
    for (const Crossing& c : links_[crossed.link].crossings)
      if (flows_[c.flow].held_by == crossed.link && !flows_[c.flow].free) set_free(c.flow);
  return mend();
}

void MaxMin::set_free(Index flow) {
  flows_[flow].free = true;
  flows_[flow].before = flows_[flow].rate;
  free_.push_back(flow);
  for (const FlowLink& crossed : hops(problem_, flow))
    if (!std::exchange(links_[crossed.link].touched, true)) touched_.push_back(crossed.link);
}

const std::vector<Index>& MaxMin::mend() {
  do fill();
  while (free_the_unproven());
  changed_.clear();
  for (Index flow : free_) {
    flows_[flow].free = false;
    if (flows_[flow].rate != flows_[flow].before) changed_.push_back(flow);
  }
  for (Index link : touched_) links_[link].touched = false;
  free_.clear();
  touched_.clear();
  std::sort(changed_.begin(), changed_.end());
  return changed_;
}

void MaxMin::fill() {
  for (Index flow : free_) flows_[flow].unfilled = true;
  for (Index l : touched_) {
    Link& link = links_[l];
    link.left = problem_.links[l].bytes_per_s;
    link.weight = 0;
    link.unfilled = 0;
    for (const Crossing& c : link.crossings) {
      if (flows_[c.flow].free)
        link.weight += c.weight, ++link.unfilled;
      else
        link.left -= c.weight * flows_[c.flow].rate;
    }
  }
  std::vector<Index>& links = filling_;
  links.assign(touched_.begin(), touched_.end());
  std::size_t unfilled = free_.size();
  const auto share = [&](Index l) { return std::max(0.0, links_[l].left) / links_[l].weight; };
  while (unfilled > 0) {
    double level = std::numeric_limits<double>::infinity();
    std::erase_if(links, [&](Index l) { return links_[l].unfilled == 0; });
    for (Index l : links) level = std::min(level, share(l));
    Index lowest = none;
    for (Index flow : free_)
      if (flows_[flow].unfilled && flows_[flow].cap <= level) lowest = flow, level = flows_[flow].cap;
    if (lowest != none) {
      settle(lowest, level, none);
      --unfilled;
      continue;
    }
    const std::size_t before = unfilled;
    for (Index l : links)
      if (links_[l].unfilled > 0 && share(l) <= level * (1 + rounding))
        for (const Crossing& c : links_[l].crossings)
          if (flows_[c.flow].unfilled) settle(c.flow, level, l), --unfilled;
    if (unfilled == before) throw std::logic_error("filling links made no progress");
  }
}

void MaxMin::settle(Index flow, double rate, Index held_by) {
  flows_[flow].rate = rate;
  flows_[flow].held_by = held_by;
  flows_[flow].unfilled = false;
  for (const FlowLink& crossed : hops(problem_, flow)) {
    Link& link = links_[crossed.link];
    link.left -= crossed.weight * rate;
    link.weight -= crossed.weight;
    --link.unfilled;
  }
}

bool MaxMin::free_the_unproven() {
  const std::size_t before = free_.size(), touched = touched_.size();
  for (std::size_t t = 0; t < touched; ++t) {
    const Index l = touched_[t];
    const std::vector<Crossing>& crossings = links_[l].crossings;
    double load = 0, fastest = 0, held = std::numeric_limits<double>::infinity();
    for (const Crossing& c : crossings) {
      const Flow& flow = flows_[c.flow];
      load += c.weight * flow.rate;
      fastest = std::max(fastest, flow.rate);
      if (flow.held_by == l) held = std::min(held, flow.rate);
    }
    const bool full = load >= problem_.links[l].bytes_per_s * (1 - rounding);
    for (const Crossing& c : crossings) {
      const Flow& flow = flows_[c.flow];
      if (flow.free) continue;
      const bool unproven = flow.held_by == l && (!full || flow.rate < fastest * (1 - rounding));
      if (unproven || flow.rate > held * (1 + rounding)) set_free(c.flow);
    }
  }
  return free_.size() > before;
}

}  // namespace gridlock::engine

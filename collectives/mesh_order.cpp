#include "collectives/mesh_order.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace gridlock::collectives {
namespace {

using topology::GpuId;
using Order = std::vector<std::size_t>;  // positions of members

// Cables left between two members.
class Cables {
 public:
  Cables(const topology::Fabric& fabric, std::span<const GpuId> members) : size_(members.size()), left_(size_ * size_, 0) {
    const GpuId gpus = static_cast<GpuId>(fabric.gpus_per_node());
    const auto position = [&](int gpu) -> std::optional<std::size_t> {
      const auto found = std::ranges::find(members, members.front() / gpus * gpus + static_cast<GpuId>(gpu));
      return found == members.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - members.begin()));
    };
    for (const topology::NvlinkPair& pair : fabric.spec.node.nvlink_pairs) {
      const auto a = position(pair.a), b = position(pair.b);
      if (a && b) add(*a, *b, pair.links);
    }
  }
  std::size_t size() const { return size_; }
  int between(std::size_t a, std::size_t b) const { return left_[a * size_ + b]; }
  void add(std::size_t a, std::size_t b, int count) {
    left_[a * size_ + b] += count;
    left_[b * size_ + a] += count;
  }
  // Of a chain: cables of its narrowest pair, and of all pairs.
  std::pair<int, int> width(const Order& chain) const {
    std::pair<int, int> width{1 << 20, 0};
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
      const int cables = between(chain[i], chain[i + 1]);
      width = {std::min(width.first, cables), width.second + cables};
    }
    return width;
  }
  // Tours take two cables of every member.
  int most_tours() const {
    int most = 1 << 20;
    for (std::size_t a = 0; a < size_; ++a) {
      int degree = 0;
      for (std::size_t b = 0; b < size_; ++b) degree += between(a, b);
      most = std::min(most, degree / 2);
    }
    return most;
  }

 private:
  std::size_t size_;
  std::vector<int> left_;
};

// Steps that a search may take: all of an 8-GPU mesh, a part of what 16 GPUs joined all to all would have.
constexpr int most_tour_steps = 200'000, most_chain_steps = 20'000;

// Extends `order` to all members over cables until `accept` says that a complete one will do. False when none does.
bool extend(const Cables& cables, Order& order, int& steps, const auto& accept) {
  if (order.size() == cables.size()) return accept(order);
  if (--steps < 0) return true;
  for (std::size_t next = 0; next < cables.size(); ++next) {
    if (cables.between(order.back(), next) == 0 || std::ranges::find(order, next) != order.end()) continue;
    order.push_back(next);
    if (extend(cables, order, steps, accept)) return true;
    order.pop_back();
  }
  return false;
}

void take(Cables& cables, const Order& tour, int count) {
  for (std::size_t i = 0; i < tour.size(); ++i) cables.add(tour[i], tour[(i + 1) % tour.size()], -count);
}

// Adds to `tours` until `most` are found or no more fit; keeps the best set in `best`.
void pack(Cables& cables, int most, int& steps, std::vector<Order>& tours, std::vector<Order>& best) {
  if (tours.size() > best.size()) best = tours;
  if (best.size() >= static_cast<std::size_t>(most)) return;
  Order order{0};
  extend(cables, order, steps, [&](const Order& found) {
    // Each tour once, in the direction of its lower neighbour of member 0.
    if (cables.between(found.back(), 0) == 0 || found[1] > found.back()) return false;
    const Order tour = found;
    take(cables, tour, 1);
    tours.push_back(tour);
    pack(cables, most, steps, tours, best);
    tours.pop_back();
    take(cables, tour, -1);
    return best.size() >= static_cast<std::size_t>(most);
  });
}

std::vector<GpuId> gpus_of(const Order& order, std::span<const GpuId> members) {
  std::vector<GpuId> gpus;
  for (const std::size_t i : order) gpus.push_back(members[i]);
  return gpus;
}

}  // namespace

std::vector<std::vector<GpuId>> nvlink_tours(const topology::Fabric& fabric, std::span<const GpuId> members) {
  std::vector<std::vector<GpuId>> gpus;
  if (members.size() < 3) return gpus;
  Cables cables(fabric, members);
  std::vector<Order> tours, best;
  int steps = most_tour_steps;
  pack(cables, cables.most_tours(), steps, tours, best);
  for (const Order& tour : best) gpus.push_back(gpus_of(tour, members));
  return gpus;
}

std::vector<GpuId> nvlink_chain(const topology::Fabric& fabric, std::span<const GpuId> members, GpuId first, GpuId last) {
  const Cables cables(fabric, members);
  const auto position = [&](GpuId gpu) { return static_cast<std::size_t>(std::ranges::find(members, gpu) - members.begin()); };
  const std::size_t end = position(last);
  Order order{position(first)}, best;
  std::pair<int, int> best_width{0, 0};
  int steps = most_chain_steps;
  extend(cables, order, steps, [&](const Order& whole) {
    if (first != last && whole.back() != end) return false;
    const std::pair<int, int> width = cables.width(whole);
    if (width > best_width) best = whole, best_width = width;
    return false;
  });
  if (!best.empty()) return gpus_of(best, members);
  order.resize(1);
  const auto open = [&](std::size_t i) { return std::ranges::find(order, i) == order.end() && (first == last || i != end); };
  const std::size_t middle = members.size() - (first == last ? 0 : 1);
  while (order.size() < middle) {
    std::optional<std::size_t> next;
    for (std::size_t i = 0; i < members.size() && !next; ++i)
      if (open(i) && cables.between(order.back(), i) > 0) next = i;
    for (std::size_t i = 0; i < members.size() && !next; ++i)
      if (open(i)) next = i;
    order.push_back(*next);
  }
  if (first != last) order.push_back(end);
  return gpus_of(order, members);
}

bool meet_over_nvlink(const topology::Fabric& fabric, std::span<const GpuId> members) {
  if (members.size() == 1) return fabric.spec.node.kind != topology::NodeKind::pcie;
  if (fabric.spec.node.kind != topology::NodeKind::mesh) return fabric.spec.node.kind == topology::NodeKind::nvswitch;
  if (members.size() > 2) return !nvlink_tours(fabric, members).empty();
  // Two: joined, or both joined to a third GPU of the node.
  std::vector<GpuId> all;
  const GpuId gpus = static_cast<GpuId>(fabric.gpus_per_node());
  for (GpuId g = 0; g < gpus; ++g) all.push_back(members.front() / gpus * gpus + g);
  const Cables cables(fabric, all);
  const std::size_t a = members[0] % gpus, b = members[1] % gpus;
  if (cables.between(a, b) > 0) return true;
  for (std::size_t via = 0; via < all.size(); ++via)
    if (cables.between(a, via) > 0 && cables.between(via, b) > 0) return true;
  return false;
}

}  // namespace gridlock::collectives

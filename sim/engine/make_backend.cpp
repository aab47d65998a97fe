#include "sim/engine/make_backend.hpp"

#include "sim/engine/incremental_backend.hpp"
#include "sim/engine/network_backend.hpp"

namespace gridlock::engine {

constexpr std::size_t most_flows_on_simgrid = 2000;

Sharing sharing_for(const Problem& problem) {
  return problem.folded && problem.flows.size() > most_flows_on_simgrid ? Sharing::incremental : Sharing::simgrid;
}

std::unique_ptr<Backend> make_backend(const Problem& problem, Sharing sharing, double* worst_rounding) {
  if (sharing == Sharing::simgrid) return std::make_unique<NetworkBackend>(problem, worst_rounding);
  if (worst_rounding) *worst_rounding = 0;
  return std::make_unique<IncrementalBackend>(problem);
}

}  // namespace gridlock::engine

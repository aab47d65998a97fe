#include "collectives/collective.hpp"

#include <stdexcept>

namespace gridlock::collectives {

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::all_reduce:
      return "all-reduce";
    case Kind::reduce_scatter:
      return "reduce-scatter";
    case Kind::all_gather:
      return "all-gather";
    case Kind::broadcast:
      return "broadcast";
    case Kind::reduce:
      return "reduce";
    case Kind::all_to_all:
      return "all-to-all";
    case Kind::send_recv:
      return "send-recv";
    case Kind::gather:
      return "gather";
    case Kind::scatter:
      return "scatter";
  }
  throw std::logic_error("collective kind out of range");
}

std::string_view name(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::ring:
      return "Ring";
    case Algorithm::tree:
      return "Tree";
    case Algorithm::nvls:
      return "NVLS";
    case Algorithm::nvls_tree:
      return "NVLSTree";
    case Algorithm::pat:
      return "PAT";
    case Algorithm::point_to_point:
      return "P2P";
    case Algorithm::collnet_direct:
      return "CollNetDirect";
    case Algorithm::collnet_chain:
      return "CollNetChain";
  }
  throw std::logic_error("algorithm out of range");
}

std::string_view name(Protocol protocol) {
  switch (protocol) {
    case Protocol::ll:
      return "LL";
    case Protocol::ll128:
      return "LL128";
    case Protocol::simple:
      return "Simple";
  }
  throw std::logic_error("protocol out of range");
}

double bus_factor(Kind kind, int ranks) {
  const double n = ranks;
  switch (kind) {
    case Kind::all_reduce:
      return 2 * (n - 1) / n;
    case Kind::reduce_scatter:
    case Kind::all_gather:
    case Kind::all_to_all:
    case Kind::gather:
    case Kind::scatter:
      return (n - 1) / n;
    case Kind::broadcast:
    case Kind::reduce:
    case Kind::send_recv:
      return 1;
  }
  throw std::logic_error("collective kind out of range");
}

bool is_point_to_point(Kind kind) {
  return kind == Kind::all_to_all || kind == Kind::send_recv || kind == Kind::gather || kind == Kind::scatter;
}

bool has_part_per_rank(Kind kind) {
  return kind == Kind::all_gather || kind == Kind::reduce_scatter || kind == Kind::all_to_all || kind == Kind::gather ||
         kind == Kind::scatter;
}

bool reduces(Kind kind) { return kind == Kind::all_reduce || kind == Kind::reduce_scatter || kind == Kind::reduce; }

bool has_root(Kind kind) {
  return kind == Kind::broadcast || kind == Kind::reduce || kind == Kind::gather || kind == Kind::scatter;
}

}  // namespace gridlock::collectives

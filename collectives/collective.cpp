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
      return (n - 1) / n;
    case Kind::broadcast:
    case Kind::reduce:
    case Kind::send_recv:
      return 1;
  }
  throw std::logic_error("collective kind out of range");
}

}  // namespace gridlock::collectives

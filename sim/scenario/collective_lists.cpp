// Keys of `collectives:`: what NCCL_ALGO and NCCL_PROTO would say.
#include <stdexcept>

#include "sim/scenario/checks.hpp"
#include "sim/scenario/declarations.hpp"

namespace gridlock::scenario {

collectives::Override CollectiveLists::parsed() const {
  return {.algorithms = collectives::parse_algorithms(algorithms), .protocols = collectives::parse_protocols(protocols)};
}

void describe(Fields& f, CollectiveLists& lists) {
  f.text({"algo", "allowed algorithms as in NCCL_ALGO, such as ring,tree or ^nvls or allreduce:tree;ring", "the tuner chooses"},
         lists.algorithms, "");
  f.text({"proto", "allowed protocols as in NCCL_PROTO: ll, ll128, simple", "the tuner chooses"}, lists.protocols, "");
}

void check_collectives(const Scenario& s, Diagnostics& out) {
  const auto check = [&](const char* key, const auto& parse) {
    try {
      parse();
    } catch (const std::invalid_argument& error) {
      out.error("unknown-name", s.places->at(key), error.what(), "write a list such as ring,tree or ^nvls");
    }
  };
  check("collectives.algo", [&] { collectives::parse_algorithms(s.collectives.algorithms); });
  check("collectives.proto", [&] { collectives::parse_protocols(s.collectives.protocols); });
}

}  // namespace gridlock::scenario

#include "sim/whatif/trials.hpp"

namespace gridlock::whatif {

Trials::Trials(const scenario::Scenario& scenario, bool fold)
    : server_([&scenario, fold](const std::string& request) {
        return nlohmann::json(try_out(scenario, nlohmann::json::parse(request).get<Change>(), fold)).dump();
      }) {}

Outcome Trials::run(const Change& change) {
  ++count_;
  return nlohmann::json::parse(server_.ask(nlohmann::json(change).dump())).get<Outcome>();
}

}  // namespace gridlock::whatif

// What the loss of one link costs, for every class of links that the step uses: the members of a class are alike, so one stands
// for all of them.
#pragma once

#include <string>
#include <vector>

#include "sim/report/run_report.hpp"
#include "sim/sweep/workers.hpp"

namespace gridlock::sweep {

struct LinkClass {
  std::string name;           // "NIC to leaf, rail 3"
  std::string pattern;        // of one of its cables, both directions, as faults.links matches it
  std::uint64_t members = 0;  // cables in the class
};

// The classes of a run, those of the two directions of a cable once. As JSON to come out of a child process.
nlohmann::ordered_json link_classes_json(const report::RunReport& report);
std::vector<LinkClass> link_classes_of_json(const nlohmann::ordered_json& json);

struct LinkLoss {
  LinkClass link;
  double step_s = 0;
  std::string error;  // not empty: what happens instead of a step
};

// Each class with one cable at `factor` of its bandwidth (0: down), costliest first; those that end the job before them.
// Throws Interrupted.
std::vector<LinkLoss> lose_each(Workers& workers, const std::vector<LinkClass>& classes, double factor);

std::string losses_text(const std::vector<LinkLoss>& losses, const Point& base, double factor);
nlohmann::ordered_json losses_json(const std::vector<LinkLoss>& losses, const Point& base, double factor);

}  // namespace gridlock::sweep

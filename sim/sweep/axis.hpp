// One dimension of a sweep: a scenario value and the values it takes, or several that change together (zipped).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gridlock::sweep {

struct Axis {
  std::vector<std::string> paths;                // "cluster.fabric.nic"; several when zipped
  std::vector<std::vector<std::string>> values;  // [i][path]: what --set would be given
  std::vector<double> numbers;                   // by i: the first path's value in `unit`; empty when they are not all numbers
  std::string unit;                              // "Gbps"; empty for plain numbers
  bool whole = false;                            // the first path holds whole numbers

  std::size_t size() const { return values.size(); }
  bool numeric() const { return !numbers.empty(); }
  std::string name() const;                     // "cluster.fabric.nic"; zipped: "cluster.nodes, parallelism.data"
  std::string value_text(std::size_t i) const;  // "400Gbps"; zipped: "64, 8"
  int better() const;                           // +1: more of it is more bandwidth; -1: less is; 0: neither is known
};

nlohmann::ordered_json axis_json(const Axis& axis);
Axis axis_of_json(const nlohmann::ordered_json& json);  // throws nlohmann::json::exception

// Fills `numbers` and `unit` from the values of the first path; leaves them empty when the values are not numbers with one unit.
void recognise_numbers(Axis& axis);

}  // namespace gridlock::sweep

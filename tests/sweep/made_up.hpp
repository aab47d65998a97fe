// Sweeps of made-up step times: no simulator, so that closed forms can be asserted.
#pragma once

#include <functional>

#include "sim/sweep/local_pool.hpp"
#include "sim/sweep/number.hpp"
#include "sim/sweep/result_file.hpp"
#include "sim/sweep/run.hpp"
#include "sim/sweep/specification.hpp"

namespace gridlock::sweep {

// Step time of the numbers of the point's values.
using Formula = std::function<double(const std::vector<double>&)>;

// A point of which `share` of the step is kernels and the rest is bound by a link.
inline Point made_point(Point place, double step_s, double kernel_s) {
  place.step_s = step_s;
  place.tokens_per_s_per_gpu = 1 / step_s;
  place.causes = {{"compute_s", "kernel", "", kernel_s}, {"exposed_data_s", "link", "NIC to leaf", step_s - kernel_s}};
  place.breakdown[0] = kernel_s;
  place.links = {{"NIC to leaf", "NIC to leaf, rail 0", 0.5, 1.0}};
  place.bottleneck = "NIC to leaf";
  return place;
}

inline Work made_work(Formula formula, double kernel_s) {
  return [=](const Task& task) {
    std::vector<double> numbers;
    for (const std::string& value : task.place.values) numbers.push_back(split_number(value).value_or(Number{}).value);
    return point_json(made_point(task.place, formula(numbers), kernel_s)).dump();
  };
}

inline Header header_of(const std::vector<std::string>& vary, double knee = 0.05, const std::vector<std::string>& zip = {}) {
  Header header;
  header.version = "1.2.3";
  header.scenario = "made-up";
  header.fnv1a64 = "0123456789abcdef";
  header.axes = make_axes(vary, zip, {});
  header.knee_threshold = knee;
  return header;
}

// Runs grid and refinement.
inline void fill(ResultFile& file, const Work& work, std::size_t jobs = 2) {
  LocalPool pool(jobs, work);
  const auto silent = [](std::uint64_t, std::uint64_t, std::uint64_t) {};
  run_grid(file, pool, {}, silent);
  run_refinement(file, pool, silent);
}

}  // namespace gridlock::sweep

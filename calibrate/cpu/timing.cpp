#include "calibrate/cpu/timing.hpp"

#include <algorithm>

namespace gridlock::calibrate {
namespace {

constexpr double clock_tick_s = 1e-9;  // a time of zero means less than one

}  // namespace

std::vector<double> time_repeats(const Repeats& repeats, const std::function<void(int)>& work) {
  work(0);
  std::vector<double> seconds;
  const double begin = now_s();
  for (int i = 1; i <= repeats.most && (i <= repeats.least || now_s() - begin < repeats.budget_s); ++i) {
    const double start = now_s();
    work(i);
    seconds.push_back(std::max(now_s() - start, clock_tick_s));
  }
  return seconds;
}

std::vector<double> timer_overhead(int count) {
  constexpr int readings = 1000;
  std::vector<double> seconds;
  for (int i = 0; i < count; ++i) {
    const double begin = now_s();
    double last = begin;
    for (int r = 0; r < readings; ++r) last = now_s();
    seconds.push_back(std::max((last - begin) / readings, clock_tick_s / readings));
  }
  return seconds;
}

}  // namespace gridlock::calibrate

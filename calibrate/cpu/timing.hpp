// Repeated timing of one piece of work.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

namespace gridlock::calibrate {

struct Repeats {
  int least = 3, most = 100;
  double budget_s = 0.06;  // after `least` repeats no more are begun beyond it
};

inline double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Once unmeasured, then timed one by one. `work` gets the number of the repeat, so that it can go on to another buffer.
std::vector<double> time_repeats(const Repeats& repeats, const std::function<void(int)>& work);

// Seconds between two readings of the clock, by `count` of them: what every time above includes once.
std::vector<double> timer_overhead(int count);

}  // namespace gridlock::calibrate

// A line on the terminal that says how far a sweep is, and when it will be done. Silent when stderr is no terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace gridlock::cli {

class ProgressLine {
 public:
  ProgressLine(std::string title, bool quiet);
  ~ProgressLine();  // wipes the line
  void show(std::uint64_t done, std::uint64_t all, std::uint64_t failed);

 private:
  std::string title_;
  bool active_;
  std::chrono::steady_clock::time_point begin_, shown_{};
  std::uint64_t first_ = 0;  // done when it began: a resumed sweep's points say nothing about the rate
  bool started_ = false;
};

}  // namespace gridlock::cli

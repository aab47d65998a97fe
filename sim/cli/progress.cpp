#include "sim/cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "sim/cli/command.hpp"

namespace gridlock::cli {
namespace {

std::string clock_time(double seconds) {
  const auto s = static_cast<long>(seconds + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02} min", s / 60, s % 60);
  return fmt::format("{}:{:02} h", s / 3600, s / 60 % 60);
}

}  // namespace

ProgressLine::ProgressLine(std::string title, bool quiet)
    : title_(std::move(title)), active_(!quiet && ::isatty(STDERR_FILENO) != 0), begin_(std::chrono::steady_clock::now()) {}

ProgressLine::~ProgressLine() {
  if (active_) tell("\r\x1b[K");
}

void ProgressLine::show(std::uint64_t done, std::uint64_t all, std::uint64_t failed) {
  using namespace std::chrono_literals;
  if (!active_) return;
  const auto now = std::chrono::steady_clock::now();
  if (!started_) first_ = done, started_ = true;
  if (now - shown_ < 100ms && done < all) return;
  shown_ = now;
  std::string text = fmt::format("\r\x1b[K{}: {} of {} points", title_, done, all);
  if (failed > 0) text += fmt::format(", {} failed", failed);
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  if (done > first_ && done < all)
    text += fmt::format(", {} left", clock_time(elapsed * static_cast<double>(all - done) / static_cast<double>(done - first_)));
  tell(text);
}

}  // namespace gridlock::cli

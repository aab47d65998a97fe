#include "calibrate/cpu/stream_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <barrier>
#include <thread>

#include "calibrate/measure/device.hpp"

namespace gridlock::calibrate {
namespace {

struct Arrays {
  std::vector<double> a, b, c;
};

using Kernel = void (*)(Arrays&, std::size_t begin, std::size_t end);
constexpr double q = 3;

void copy(Arrays& x, std::size_t begin, std::size_t end) {
  std::copy(x.a.begin() + static_cast<std::ptrdiff_t>(begin), x.a.begin() + static_cast<std::ptrdiff_t>(end),
            x.c.begin() + static_cast<std::ptrdiff_t>(begin));
}
void scale(Arrays& x, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) x.b[i] = q * x.c[i];
}
void triad(Arrays& x, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) x.a[i] = x.b[i] + q * x.c[i];
}

struct Choice {
  Kernel kernel;
  int arrays;
};

Choice choice(const std::string& benchmark) {
  if (benchmark == "copy") return {copy, 2};
  if (benchmark == "scale") return {scale, 2};
  if (benchmark == "triad") return {triad, 3};
  throw DeviceError(fmt::format("no benchmark of memory is called {}", benchmark));
}

// Runs `work(thread)` on all threads at once, again at each call of run(); the caller is thread 0.
class Team {
 public:
  Team(int threads, std::function<void(int)> work) : barrier_(threads), work_(std::move(work)) {
    for (int t = 1; t < threads; ++t) members_.emplace_back([this, t] { serve(t); });
  }
  ~Team() {
    ending_ = true;
    barrier_.arrive_and_wait();
    for (std::thread& member : members_) member.join();
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  void run() {
    barrier_.arrive_and_wait();
    work_(0);
    barrier_.arrive_and_wait();
  }

 private:
  void serve(int thread) {
    while (true) {
      barrier_.arrive_and_wait();
      if (ending_) return;
      work_(thread);
      barrier_.arrive_and_wait();
    }
  }
  std::barrier<> barrier_;
  bool ending_ = false;  // written before the barrier that the readers wait at
  std::function<void(int)> work_;
  std::vector<std::thread> members_;
};

}  // namespace

Point measure_stream(const Point& planned, int threads, const Repeats& repeats) {
  const Choice chosen = choice(planned.benchmark);
  const auto found = planned.numbers.find("bytes");
  const double bytes = found == planned.numbers.end() ? 0 : found->second;
  const double wanted = bytes / (8.0 * chosen.arrays);
  if (!(wanted >= threads) || wanted > 1e10)
    throw DeviceError(fmt::format("{} bytes make no arrays to {}", bytes, planned.benchmark));
  const auto elements = static_cast<std::size_t>(wanted);
  Arrays x{std::vector<double>(elements, 1), std::vector<double>(elements, 2), std::vector<double>(elements, 0)};
  const auto share = [&](int t) { return elements * static_cast<std::size_t>(t) / static_cast<std::size_t>(threads); };
  Team team(threads, [&](int t) { chosen.kernel(x, share(t), share(t + 1)); });
  Point point = planned;
  point.error.clear();
  point.numbers["bytes"] = 8.0 * chosen.arrays * static_cast<double>(elements);
  point.seconds = time_repeats(repeats, [&](int) { team.run(); });
  return point;
}

}  // namespace gridlock::calibrate

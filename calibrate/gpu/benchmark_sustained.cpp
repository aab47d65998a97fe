// The same matrix product without a pause for some seconds; reported is the last of them. In the first second the clocks are high
// and the chip is cool; under a power limit they fall, and training runs at what is left.
#include <array>
#include <chrono>
#include <thread>

#include "calibrate/gpu/benchmarks.hpp"

namespace gridlock::calibrate::gpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds rest{3};
constexpr double batch_s = 20e-3;
constexpr double most_s = 60;

}  // namespace

Point measure_sustained(Machine& machine, Point point) {
  const double until_s = number(point, "second");
  if (!(until_s >= 1 && until_s <= most_s)) throw DeviceError("sustained: second must be 1 to 60");
  const auto work = gemm_work(machine, {label(point, "dtype"), count(point, "m"), count(point, "n"), count(point, "k"), 1});
  const Stream& stream = machine.stream();
  const Timing one = time_on_device(machine, *work);
  const int runs = runs_in_batch(one.seconds.front(), batch_s, work->sets());
  const Graph batch(stream, [&] {
    for (int run = 0; run < runs; ++run) work->enqueue(run, stream);
  });
  std::this_thread::sleep_for(rest);

  // Two batches are under way at any time, so that the device never waits for the host.
  std::vector<double> seconds;
  const std::array<Event, 3> marks;  // between batches, in turn
  const auto start = Clock::now();
  const auto elapsed_s = [start] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  marks[0].record(stream);
  batch.launch(stream);
  marks[1].record(stream);
  for (std::size_t i = 0; elapsed_s() < until_s; ++i) {
    const Event &before = marks[i % 3], &after = marks[(i + 1) % 3], &next = marks[(i + 2) % 3];
    batch.launch(stream);
    next.record(stream);
    after.wait();
    if (elapsed_s() > until_s - 1) seconds.push_back(seconds_between(before, after) / runs);
  }
  const std::map<std::string, double> readings = machine.readings();
  stream.wait();
  return with(std::move(point), {seconds, readings});
}

}  // namespace gridlock::calibrate::gpu

#include "calibrate/gpu/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace gridlock::calibrate::gpu {
namespace {

constexpr double warm_up_s = 0.05, batch_on_device_s = 2e-3, timed_s = 0.12;

double seconds_of(const Stream& stream, const std::function<void()>& enqueue) {
  const Event start, end;
  start.record(stream);
  enqueue();
  end.record(stream);
  end.wait();
  return seconds_between(start, end);
}

}  // namespace

int repeats_of(double batch_s) { return static_cast<int>(std::clamp(timed_s / batch_s, 7.0, 50.0)); }

int runs_in_batch(double run_s, double batch_s, int sets) {
  const int runs = static_cast<int>(std::clamp(std::ceil(batch_s / run_s), 1.0, 1024.0));
  return std::max(runs / sets, 1) * sets;
}

Timing time_on_device(const Machine& machine, Work& work) {
  const Stream& stream = machine.stream();
  work.enqueue(0, stream);  // loads the kernel
  stream.wait();
  const double first_s = seconds_of(stream, [&] { work.enqueue(1, stream); });
  const int runs = runs_in_batch(first_s, batch_on_device_s, work.sets());
  const Graph batch(stream, [&] {
    for (int run = 0; run < runs; ++run) work.enqueue(run, stream);
  });
  // `first_s` holds a launch: the batch tells the truth.
  const double batch_s = seconds_of(stream, [&] { batch.launch(stream); });
  for (int i = 0; i < static_cast<int>(std::clamp(warm_up_s / batch_s, 1.0, 50.0)); ++i) batch.launch(stream);
  std::vector<Event> marks(static_cast<std::size_t>(repeats_of(batch_s)) + 1);
  marks.front().record(stream);  // behind the warm-up: the device is busy, so no launch shows
  for (std::size_t i = 1; i < marks.size(); ++i) {
    batch.launch(stream);
    marks[i].record(stream);
  }
  marks[marks.size() / 2].wait();
  Timing timing;
  timing.readings = machine.readings();
  stream.wait();
  for (std::size_t i = 1; i < marks.size(); ++i) timing.seconds.push_back(seconds_between(marks[i - 1], marks[i]) / runs);
  return timing;
}

std::vector<double> time_on_host(const std::function<void(int count)>& run, double batch_s) {
  const auto seconds_of_runs = [&run](int count) {
    const auto start = std::chrono::steady_clock::now();
    run(count);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  seconds_of_runs(1);  // connects, loads, allocates
  seconds_of_runs(3);
  const double one_s = seconds_of_runs(3) / 3;
  const int count = batch_s > 0 ? runs_in_batch(one_s, batch_s, 1) : 1;
  std::vector<double> seconds(static_cast<std::size_t>(repeats_of(one_s * count)));
  for (double& s : seconds) s = seconds_of_runs(count) / count;
  return seconds;
}

}  // namespace gridlock::calibrate::gpu

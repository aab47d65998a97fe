// How long things take, by the device's clock and by the host's. Each returns one time a repeat, in seconds of one run.
#pragma once

#include <functional>
#include <vector>

#include "calibrate/gpu/machine.hpp"
#include "calibrate/gpu/work.hpp"

namespace gridlock::calibrate::gpu {

struct Timing {
  std::vector<double> seconds;
  std::map<std::string, double> readings;  // clocks and power under this load (nvml.hpp)
};

// Kernels on device 0 by its own clock (events). After a warm-up of 50 ms, batches of runs are recorded as a graph of at least 2
// ms (and every set of buffers), so that launches cost nothing and the resolution of events (0.5 us) does not show; the graph is
// replayed 7 to 50 times, for about 0.12 s. A batch's time over its number of runs is one repeat.
Timing time_on_device(const Machine& machine, Work& work);

// The host's clock around `run(count)`, which enqueues `count` runs and waits for them. A batch is at least `batch_s` long (0:
// one run).
std::vector<double> time_on_host(const std::function<void(int count)>& run, double batch_s);

// What both share: repeats of something that takes `batch_s`.
int repeats_of(double batch_s);

// Runs that make a batch of at least `batch_s`, a multiple of `sets`, at most 1024 or `sets`.
int runs_in_batch(double run_s, double batch_s, int sets);

}  // namespace gridlock::calibrate::gpu

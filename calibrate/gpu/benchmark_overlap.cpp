// How much slower a kernel runs beside a collective: the same batch of runs alone, or while the collective is under way from
// before its first run until after its last.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "calibrate/gpu/background.hpp"
#include "calibrate/gpu/benchmarks.hpp"

namespace gridlock::calibrate::gpu {
namespace {

constexpr int repeats = 9;
constexpr double batch_s = 3e-3;
constexpr double slowest = 4;  // a kernel that slows down more than this outlives the background, which is an error

std::unique_ptr<Work> kernel(const Machine& machine, const std::string& name, long size) {
  if (name == "gemm") return gemm_work(machine, {"bf16", size, size, size, 1});
  if (name == "attention") return gemm_work(machine, {"bf16", size, size, 128, 8});
  if (name == "elementwise") return stream_work(machine, StreamKernel::scale, 8.0 * static_cast<double>(size * size));
  throw DeviceError("overlap: no kernel '" + name + "'");
}

std::unique_ptr<Background> background(Machine& machine, const std::string& mode) {
  if (mode == "alone") return nullptr;
  if (mode == "with_all_reduce" && machine.devices() > 1) return all_reduce_background(machine);
  if (mode == "with_copy") return copy_background(machine);
  throw DeviceError("overlap: mode '" + mode + "' cannot be measured here");
}

double seconds_of_one(Background& background) {
  const Event start, end;
  background.enqueue();  // connects
  start.record(background.stream());
  for (int i = 0; i < 3; ++i) background.enqueue();
  end.record(background.stream());
  end.wait();
  return seconds_between(start, end) / 3;
}

// The batch `repeats` times beside `calls` runs of the background. No times when the background ended before the batches did.
Timing time_beside(const Machine& machine, const Graph& batch, Background* background, int calls) {
  const Stream& stream = machine.stream();
  const Event started, ended;
  if (background != nullptr) {
    started.record(background->stream());
    for (int i = 0; i < calls; ++i) background->enqueue();
    ended.record(background->stream());
    GRIDLOCK_CALL(cudaStreamWaitEvent(stream, started, 0));
  }
  const std::vector<Event> marks(repeats + 1);
  batch.launch(stream);  // the background is under way when the first mark is passed
  marks.front().record(stream);
  for (std::size_t i = 1; i < marks.size(); ++i) {
    batch.launch(stream);
    marks[i].record(stream);
  }
  marks[marks.size() / 2].wait();
  Timing timing{{}, machine.readings()};
  stream.wait();
  if (background != nullptr) {
    ended.wait();
    if (seconds_between(marks.back(), ended) < 0) return timing;
  }
  for (std::size_t i = 1; i < marks.size(); ++i) timing.seconds.push_back(seconds_between(marks[i - 1], marks[i]));
  return timing;
}

}  // namespace

Point measure_overlap(Machine& machine, Point point) {
  const std::unique_ptr<Work> work = kernel(machine, label(point, "kernel"), count(point, "size"));
  const std::unique_ptr<Background> beside = background(machine, label(point, "mode"));
  const Stream& stream = machine.stream();
  const Timing alone = time_on_device(machine, *work);
  const int runs = runs_in_batch(*std::min_element(alone.seconds.begin(), alone.seconds.end()), batch_s, work->sets());
  const Graph batch(stream, [&] {
    for (int run = 0; run < runs; ++run) work->enqueue(run, stream);
  });
  batch.launch(stream);
  stream.wait();

  Timing timing;
  if (beside) {
    point.numbers.merge(beside->numbers());
    const double one_s = seconds_of_one(*beside);
    // A host that is busy enqueues late, and the background may be over too early: then again, longer.
    for (const double longer : {1.0, 2.0, 4.0}) {
      const double lasting_s = longer * slowest * (repeats + 1) * runs * alone.seconds.front();
      timing = time_beside(machine, batch, beside.get(), std::max(static_cast<int>(std::ceil(lasting_s / one_s)), 2));
      if (!timing.seconds.empty()) break;
    }
    if (timing.seconds.empty()) throw DeviceError(fmt::format("overlap: the {} ended before the kernels did", beside->name()));
  } else {
    timing = time_beside(machine, batch, nullptr, 0);
  }
  for (double& s : timing.seconds) s /= runs;
  return with(std::move(point), timing);
}

}  // namespace gridlock::calibrate::gpu

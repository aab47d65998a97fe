#include "calibrate/cpu/cpu_device.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "calibrate/cpu/stream_benchmark.hpp"
#include "calibrate/measure/serve.hpp"

namespace gridlock::calibrate {
namespace {

constexpr double worth_it = 1.2;  // times as fast as one thread
constexpr int most_mpi_ranks = 16;

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.find(':') + 2, line.size()));
  return "CPU";
}

double pages(int which) { return static_cast<double>(::sysconf(which)) * static_cast<double>(::sysconf(_SC_PAGESIZE)); }
double free_bytes() { return pages(_SC_AVPHYS_PAGES); }
double total_bytes() { return pages(_SC_PHYS_PAGES); }

// Seconds of a product that is large enough for every thread, at its fastest.
double probe_s(const Blas& blas, GemmBenchmark& gemm, int threads) {
  blas.set_threads(threads);
  const Point probe{"gemm", {{"dtype", "fp32"}}, {{"m", 768}, {"n", 768}, {"k", 768}}, {}, ""};
  const std::vector<double> seconds = gemm.measure(probe, {.least = 5, .most = 40, .budget_s = 0.4}).seconds;
  return *std::min_element(seconds.begin(), seconds.end());
}

int logical_cpus() { return static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U)); }

}  // namespace

CpuDevice::CpuDevice(const CpuOptions& options)
    : blas_(options.blas), gemm_(blas_), mpi_(std::min(logical_cpus(), most_mpi_ranks)) {
  const int all = logical_cpus();
  threads_ = options.threads;
  choice_ = fmt::format("{} as asked for", threads_);
  if (threads_ == 0) {
    const double gain = all > 1 ? probe_s(blas_, gemm_, 1) / probe_s(blas_, gemm_, all) : 1;
    threads_ = gain > worth_it ? all : 1;
    choice_ = all == 1 ? "1, there is one CPU" : fmt::format("{}: {} multiply {:.2f} times as fast as one", threads_, all, gain);
  }
  if (!blas_.set_threads(threads_)) throw DeviceMissing("this BLAS library cannot be told how many threads to use: --threads 1");
}

Description CpuDevice::describe() {
  Description d;
  d.name = processor_name();
  std::array<double, 1> load{};  // runnable processes, mean over the last minute
  if (::getloadavg(load.data(), 1) != 1) load[0] = 0;
  d.provenance = {{"device", d.name},
                  {"load_average", fmt::format("{:.1f}", load[0])},
                  {"blas", blas_.description()},
                  {"threads", fmt::format("{}", threads_)},
                  {"threads_because", choice_},
                  {"memory_bytes", fmt::format("{:.0f}", total_bytes())},
                  {"logical_cpus", fmt::format("{}", std::thread::hardware_concurrency())}};
  d.benchmarks = {"gemm", "copy", "scale", "triad", "timer"};
  d.dtypes = {"fp32", "fp64"};
  d.limits = {"links to other machines cannot be measured on one host: they stay as in the preset"};
  if (mpi_.missing().empty()) {
    d.benchmarks.push_back("all_reduce");
  } else {
    d.limits.push_back(mpi_.missing());
  }
  d.memory_bytes = free_bytes();
  return d;
}

Point CpuDevice::measure(const Point& planned) {
  Point point;
  if (planned.benchmark == "gemm") {
    point = gemm_.measure(planned, {});
  } else if (planned.benchmark == "all_reduce") {
    return mpi_.measure(planned);
  } else if (planned.benchmark == "timer") {
    point = planned;
    point.error.clear();
    point.seconds = timer_overhead(20);
  } else {
    point = measure_stream(planned, threads_, {.least = 5, .most = 50, .budget_s = 0.5});
  }
  point.numbers["threads"] = threads_;
  return point;
}

Child cpu_child(const CpuOptions& options) {
  return [options](int socket) { return serve([&] { return std::make_unique<CpuDevice>(options); }, socket); };
}

}  // namespace gridlock::calibrate

#include "calibrate/gpu/cuda_device.hpp"

#include <map>

#include "calibrate/gpu/benchmarks.hpp"

namespace gridlock::calibrate::gpu {
namespace {

using Measure = Point (*)(Machine&, Point);

const std::map<std::string, Measure>& benchmarks() {
  static const std::map<std::string, Measure> all{
      {"gemm", measure_gemm},
      {"attention", measure_gemm},
      {"softmax", measure_softmax},
      {"copy", measure_stream},
      {"scale", measure_stream},
      {"triad", measure_stream},
      {"launch", measure_launch},
      {"host_copy", measure_host_copy},
      {"peer_copy", measure_peer_copy},
      {"all_reduce", measure_collective},
      {"all_gather", measure_collective},
      {"reduce_scatter", measure_collective},
      {"all_to_all", measure_collective},
      {"sendrecv", measure_collective},
      {"overlap", measure_overlap},
      {"sustained", measure_sustained},
      {"fault", cause_fault},
  };
  return all;
}

class CudaDevice : public Device {
 public:
  Description describe() override {
    Description d = machine_.describe();
    for (const auto& [name, measure] : benchmarks()) d.benchmarks.push_back(name);
    return d;
  }
  Point measure(const Point& planned) override {
    const auto found = benchmarks().find(planned.benchmark);
    if (found == benchmarks().end()) throw DeviceError("there is no GPU benchmark '" + planned.benchmark + "'");
    (void)cudaGetLastError();  // what a failed point's cleaning up left must not look like this one's launch
    return found->second(machine_, planned);
  }

 private:
  Machine machine_;
};

}  // namespace

std::unique_ptr<Device> open_cuda_device() { return std::make_unique<CudaDevice>(); }

}  // namespace gridlock::calibrate::gpu

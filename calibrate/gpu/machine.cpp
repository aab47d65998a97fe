#include "calibrate/gpu/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gridlock::calibrate::gpu {
namespace {

// As PyTorch on Hopper; heuristics choose among kernels that need no more.
constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

std::string version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

int count_devices() {
  int driver = 0, runtime = 0, count = 0;
  (void)cudaDriverGetVersion(&driver);
  (void)cudaRuntimeGetVersion(&runtime);
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (driver == 0) throw DeviceMissing("no NVIDIA driver is loaded on this machine, so there is no GPU to measure");
  if (result == cudaErrorInsufficientDriver)
    throw DeviceMissing(
        fmt::format("the NVIDIA driver supports CUDA {} and this build needs {}: update the driver, or build with an "
                    "older CUDA Toolkit",
                    version(driver), version(runtime)));
  if (result != cudaSuccess)
    throw DeviceMissing(
        fmt::format("no GPU can be used: cudaGetDeviceCount: {} ({})", cudaGetErrorString(result), cudaGetErrorName(result)));
  if (count == 0) throw DeviceMissing("the NVIDIA driver finds no GPU on this machine");
  return count;
}

std::vector<std::string> dtypes_of(const cudaDeviceProp& p) {
  std::vector<std::string> types{"bf16", "fp16"};
  if (10 * p.major + p.minor >= 89) types.emplace_back("fp8");
  types.emplace_back("tf32");
  types.emplace_back("fp32");
  return types;
}

}  // namespace

Machine::Machine() {
  properties_.resize(static_cast<std::size_t>(count_devices()));
  for (int i = 0; i < devices(); ++i) GRIDLOCK_CALL(cudaGetDeviceProperties(&properties_[static_cast<std::size_t>(i)], i));
  if (properties().major < 8)
    throw DeviceMissing(fmt::format("{} has compute capability {}.{}, and this build has code for 8.0 (Ampere) and later",
                                    properties().name, properties().major, properties().minor));
  GRIDLOCK_CALL(cudaSetDevice(0));
  std::array<char, 32> bus{};
  GRIDLOCK_CALL(cudaDeviceGetPCIBusId(bus.data(), bus.size(), 0));
  pci_bus_id_ = bus.data();
  stream_ = std::make_unique<Stream>();
  GRIDLOCK_CALL(cublasLtCreate(&lt_));
  workspace_ = std::make_unique<DeviceBuffer>(workspace_bytes);
}

Machine::~Machine() {
  if (lt_ != nullptr) (void)cublasLtDestroy(lt_);
}

Description Machine::describe() const {
  const cudaDeviceProp& p = properties();
  Description d;
  d.name = p.name;
  d.devices = devices();
  d.dtypes = dtypes_of(p);
  std::size_t available = 0, total = 0;
  GRIDLOCK_CALL(cudaMemGetInfo(&available, &total));
  d.memory_bytes = static_cast<double>(available);
  int driver = 0, runtime = 0, nccl = 0;
  GRIDLOCK_CALL(cudaDriverGetVersion(&driver));
  GRIDLOCK_CALL(cudaRuntimeGetVersion(&runtime));
  GRIDLOCK_CALL(ncclGetVersion(&nccl));
  d.provenance = {{"device", p.name},
                  {"devices", std::to_string(devices())},
                  {"compute_capability", fmt::format("{}.{}", p.major, p.minor)},
                  {"sms", std::to_string(p.multiProcessorCount)},
                  {"l2_bytes", std::to_string(p.l2CacheSize)},
                  {"memory_bytes", std::to_string(total)},
                  {"cuda", version(runtime)},
                  {"cuda_driver", version(driver)},
                  {"cublaslt", std::to_string(cublasLtGetVersion())},
                  {"nccl", fmt::format("{}.{}.{}", nccl / 10000, nccl % 10000 / 100, nccl % 100)}};
  if (const std::string text = nvml_.driver_version(); !text.empty()) d.provenance["driver"] = text;
  for (const auto& [name, value] : nvml_.limits(pci_bus_id_)) d.provenance[name] = fmt::format("{:.10g}", value);
  for (const auto& [name, value] : nvml_.readings(pci_bus_id_)) d.provenance["idle_" + name] = fmt::format("{:.10g}", value);
  if (!nvml_.available()) d.limits.emplace_back("clocks and power are not recorded: libnvidia-ml.so.1 cannot be opened");
  if (devices() == 1) {
    d.limits.emplace_back(
        "one GPU: links between GPUs and collectives cannot be measured; a profile keeps those of its preset. Overlap is "
        "measured "
        "against a copy on 16 SMs in place of an all-reduce");
  }
  for (const cudaDeviceProp& other : properties_)
    if (std::string(other.name) != p.name)
      d.limits.push_back(fmt::format("the GPUs differ ({}, {}): kernels are measured on the first alone", p.name, other.name));
  return d;
}

int Machine::rotating_sets(double bytes) const {
  std::size_t available = 0, total = 0;
  GRIDLOCK_CALL(cudaMemGetInfo(&available, &total));
  const double wanted = std::clamp(2.5 * properties().l2CacheSize / bytes + 1, 2.0, 64.0);
  return static_cast<int>(std::max(1.0, std::min(wanted, 0.5 * static_cast<double>(available) / bytes)));
}

Communicators& Machine::communicators(int ranks) {
  if (!communicators_ || communicators_->ranks() != ranks) {
    communicators_.reset();
    communicators_ = std::make_unique<Communicators>(ranks);
    GRIDLOCK_CALL(cudaSetDevice(0));
  }
  return *communicators_;
}

}  // namespace gridlock::calibrate::gpu

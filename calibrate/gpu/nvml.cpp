#include "calibrate/gpu/nvml.hpp"

#include <dlfcn.h>

#include <array>

namespace gridlock::calibrate::gpu {
namespace {

// The part of NVML's C interface that is used here (NVML API Reference). 0 is success everywhere.
using Result = int;
using Handle = void*;
using NoArguments = Result (*)();
using GetText = Result (*)(char*, unsigned);
using GetDevice = Result (*)(const char*, Handle*);
using GetNumber = Result (*)(Handle, unsigned*);
using GetNumberOf = Result (*)(Handle, int, unsigned*);

constexpr int sm_clock = 1, memory_clock = 2, gpu_sensor = 0;

}  // namespace

Nvml::Nvml() {
  library_ = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) return;
  const auto start = reinterpret_cast<NoArguments>(function("nvmlInit_v2"));
  if (start != nullptr && start() == 0) return;
  ::dlclose(library_);
  library_ = nullptr;
}

Nvml::~Nvml() {
  if (library_ == nullptr) return;
  if (const auto stop = reinterpret_cast<NoArguments>(function("nvmlShutdown"))) stop();
  ::dlclose(library_);
}

void* Nvml::function(const char* name) const { return library_ == nullptr ? nullptr : ::dlsym(library_, name); }

void* Nvml::device(const std::string& pci_bus_id) const {
  const auto get = reinterpret_cast<GetDevice>(function("nvmlDeviceGetHandleByPciBusId_v2"));
  Handle handle = nullptr;
  return get != nullptr && get(pci_bus_id.c_str(), &handle) == 0 ? handle : nullptr;
}

std::string Nvml::driver_version() const {
  std::array<char, 96> text{};
  const auto get = reinterpret_cast<GetText>(function("nvmlSystemGetDriverVersion"));
  return get != nullptr && get(text.data(), text.size()) == 0 ? text.data() : "";
}

std::map<std::string, double> Nvml::readings(const std::string& pci_bus_id) const {
  std::map<std::string, double> found;
  void* const gpu = device(pci_bus_id);
  if (gpu == nullptr) return found;
  unsigned value = 0;
  const auto number = [&](const char* name, const char* key, double unit) {
    const auto get = reinterpret_cast<GetNumber>(function(name));
    if (get != nullptr && get(gpu, &value) == 0) found[key] = value * unit;
  };
  const auto number_of = [&](const char* name, int what, const char* key) {
    const auto get = reinterpret_cast<GetNumberOf>(function(name));
    if (get != nullptr && get(gpu, what, &value) == 0) found[key] = value;
  };
  number_of("nvmlDeviceGetClockInfo", sm_clock, "clock_mhz");
  number_of("nvmlDeviceGetClockInfo", memory_clock, "memory_clock_mhz");
  number("nvmlDeviceGetPowerUsage", "power_w", 1e-3);
  number_of("nvmlDeviceGetTemperature", gpu_sensor, "temperature_c");
  number("nvmlDeviceGetPerformanceState", "performance_state", 1);
  return found;
}

std::map<std::string, double> Nvml::limits(const std::string& pci_bus_id) const {
  std::map<std::string, double> found;
  void* const gpu = device(pci_bus_id);
  if (gpu == nullptr) return found;
  unsigned value = 0;
  const auto clock = reinterpret_cast<GetNumberOf>(function("nvmlDeviceGetMaxClockInfo"));
  if (clock != nullptr && clock(gpu, sm_clock, &value) == 0) found["max_clock_mhz"] = value;
  const auto power = reinterpret_cast<GetNumber>(function("nvmlDeviceGetEnforcedPowerLimit"));
  if (power != nullptr && power(gpu, &value) == 0) found["power_limit_w"] = value * 1e-3;
  return found;
}

}  // namespace gridlock::calibrate::gpu

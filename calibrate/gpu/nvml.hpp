// Clocks, power and temperature as found; nothing is ever changed. NVIDIA's management library comes with the driver and is
// opened at run time: without it the readings are left out.
#pragma once

#include <map>
#include <string>

namespace gridlock::calibrate::gpu {

class Nvml {
 public:
  Nvml();
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  bool available() const { return library_ != nullptr; }
  std::string driver_version() const;  // empty when unknown

  // Readings of the GPU with that PCI bus id (cudaDeviceGetPCIBusId), those that it offers: clock_mhz (SM), memory_clock_mhz,
  // power_w, temperature_c, performance_state (0: highest clocks).
  std::map<std::string, double> readings(const std::string& pci_bus_id) const;

  // Likewise, limits: max_clock_mhz, power_limit_w.
  std::map<std::string, double> limits(const std::string& pci_bus_id) const;

 private:
  void* function(const char* name) const;
  void* device(const std::string& pci_bus_id) const;  // null when it is unknown
  void* library_ = nullptr;
};

}  // namespace gridlock::calibrate::gpu

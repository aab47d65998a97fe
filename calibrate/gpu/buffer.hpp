// Memory that is freed with its scope.
#pragma once

#include <cstddef>
#include <vector>

#include "calibrate/gpu/check.hpp"

namespace gridlock::calibrate::gpu {

// On the device that is current when it is made.
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t bytes) : bytes_(bytes) { GRIDLOCK_CALL(cudaMalloc(&data_, bytes)); }
  ~DeviceBuffer() {
    if (data_ != nullptr) (void)cudaFree(data_);
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  DeviceBuffer(DeviceBuffer&& other) noexcept : data_(other.data_), bytes_(other.bytes_) { other.data_ = nullptr; }
  DeviceBuffer& operator=(DeviceBuffer&&) = delete;

  template <class T = std::byte>
  T* at(std::size_t byte_offset = 0) const {
    return reinterpret_cast<T*>(static_cast<std::byte*>(data_) + byte_offset);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

// Host memory: page-locked, so that the device copies it by itself, or ordinary.
class HostBuffer {
 public:
  HostBuffer(std::size_t bytes, bool pinned);
  ~HostBuffer();
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;
  void* data() const { return data_; }

 private:
  std::vector<std::byte> pageable_;
  void* data_ = nullptr;
  bool pinned_;
};

}  // namespace gridlock::calibrate::gpu

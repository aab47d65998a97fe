#include "calibrate/gpu/buffer.hpp"

#include <cstring>

namespace gridlock::calibrate::gpu {

HostBuffer::HostBuffer(std::size_t bytes, bool pinned) : pinned_(pinned) {
  if (pinned) {
    GRIDLOCK_CALL(cudaMallocHost(&data_, bytes));
  } else {
    pageable_.resize(bytes);
    data_ = pageable_.data();
  }
  std::memset(data_, 1, bytes);  // real pages, not the kernel's one page of zeros
}

HostBuffer::~HostBuffer() {
  if (pinned_ && data_ != nullptr) (void)cudaFreeHost(data_);
}

}  // namespace gridlock::calibrate::gpu

// NCCL's collectives on buffers of their own, with nccl-tests' meaning of bytes:
//   all_reduce      every rank's vector                  sendrecv   what each rank sends to the next one
//   all_gather, reduce_scatter, all_to_all               the whole vector; each rank's part is bytes / ranks
#pragma once

#include <string>
#include <vector>

#include "calibrate/gpu/communicators.hpp"

namespace gridlock::calibrate::gpu {

class Collective {
 public:
  // fp32, out of place. Throws DeviceError for an unknown name.
  Collective(const std::string& name, Communicators& communicators, double bytes);

  void enqueue() const { communicators_.enqueue(call_); }
  void wait() const { communicators_.wait(); }
  std::optional<double> estimate_s() const { return communicators_.estimate_s(call_); }
  double bytes() const { return bytes_; }  // as run: a whole number of elements a rank

 private:
  Communicators& communicators_;
  double bytes_;
  std::vector<DeviceBuffer> send_, receive_;  // one a rank
  Communicators::Call call_;
};

}  // namespace gridlock::calibrate::gpu

// NCCL communicators of the first GPUs of this machine, all in this process, and their collectives.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/gpu/buffer.hpp"
#include "calibrate/gpu/stream.hpp"

namespace gridlock::calibrate::gpu {

class Communicators {
 public:
  explicit Communicators(int ranks);
  ~Communicators();
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;

  int ranks() const { return static_cast<int>(devices_.size()); }
  const Stream& stream(int rank) const { return *devices_[static_cast<std::size_t>(rank)].stream; }

  // What one rank does in a collective: enqueues it on its communicator and stream.
  using Call = std::function<void(int rank, ncclComm_t, cudaStream_t)>;

  // One collective of all ranks, enqueued.
  void enqueue(const Call& call) const;

  // NCCL's own estimate of its time in seconds; nothing when the library gives none (point-to-point, or before 2.22). On
  // communicators that carry nothing else, so that a simulated group leaves no trace in measured ones.
  std::optional<double> estimate_s(const Call& call);

  void wait() const;  // for all streams

 private:
  struct OfDevice {
    std::unique_ptr<Stream> stream;
    ncclComm_t communicator = nullptr;
  };
  std::vector<OfDevice> devices_;
  std::vector<ncclComm_t> for_estimates_;
};

}  // namespace gridlock::calibrate::gpu

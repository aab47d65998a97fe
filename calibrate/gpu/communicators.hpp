// NCCL communicators of GPUs that this process drives, and their collectives: all ranks in this process, on the first GPUs of
// this machine; or one of many, each in a process of its own.
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

  // One rank of many. Every one of them makes its own at the same time, with the id that one of them has made.
  struct Member {
    int ranks = 2, rank = 0;
    int device = 0;  // of this machine
    ncclUniqueId id{};
  };
  explicit Communicators(const Member& member);
  ~Communicators();
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;

  int ranks() const { return ranks_; }
  int first() const { return first_; }                             // rank in this process
  int count() const { return static_cast<int>(devices_.size()); }  // of ranks in this process: first() and those that follow
  // Of a rank in this process.
  int device(int rank) const { return of(rank).device; }
  const Stream& stream(int rank) const { return *of(rank).stream; }

  // What one rank does in a collective: enqueues it on its communicator and stream.
  using Call = std::function<void(int rank, ncclComm_t, cudaStream_t)>;

  // One collective of all ranks, enqueued.
  void enqueue(const Call& call) const;

  // NCCL's own estimate of its time in seconds; nothing when the library gives none (point-to-point, or before 2.22), or when not
  // all ranks are in this process. On
  // communicators that carry nothing else, so that a simulated group leaves no trace in measured ones.
  std::optional<double> estimate_s(const Call& call);

  void wait() const;  // for all streams

 private:
  struct OfDevice {
    int device = 0;
    std::unique_ptr<Stream> stream;
    ncclComm_t communicator = nullptr;
  };
  const OfDevice& of(int rank) const { return devices_.at(static_cast<std::size_t>(rank - first_)); }

  int ranks_, first_ = 0;
  std::vector<OfDevice> devices_;
  std::vector<ncclComm_t> for_estimates_;
};

}  // namespace gridlock::calibrate::gpu

#include "calibrate/gpu/collectives.hpp"

#include <algorithm>

#include "calibrate/gpu/kernels.hpp"
#include "calibrate/measure/device.hpp"

namespace gridlock::calibrate::gpu {
namespace {

constexpr std::size_t element_bytes = 4;

}  // namespace

Collective::Collective(const std::string& name, Communicators& communicators, double bytes) : communicators_(communicators) {
  const auto ranks = static_cast<std::size_t>(communicators.ranks());
  const bool whole = name == "all_reduce" || name == "sendrecv";
  // Elements of one rank's part, and of the buffers.
  const std::size_t part = std::max<std::size_t>(static_cast<std::size_t>(bytes) / element_bytes / (whole ? 1 : ranks), 1);
  const std::size_t all = whole ? part : part * ranks;
  bytes_ = static_cast<double>(all * element_bytes);
  const int first = communicators.first();
  for (int rank = first; rank < first + communicators.count(); ++rank) {
    GRIDLOCK_CALL(cudaSetDevice(communicators.device(rank)));
    send_.emplace_back(all * element_bytes);
    receive_.emplace_back(all * element_bytes);
    const Stream& stream = communicators.stream(rank);
    GRIDLOCK_CALL(fill_random(send_.back().at(), all, Element::fp32, static_cast<std::uint32_t>(rank), stream));
    stream.wait();
  }
  GRIDLOCK_CALL(cudaSetDevice(communicators.device(first)));

  const auto sent = [this, first](int rank) { return send_[static_cast<std::size_t>(rank - first)].at<float>(); };
  const auto received = [this, first](int rank) { return receive_[static_cast<std::size_t>(rank - first)].at<float>(); };
  const int n = communicators.ranks();
  if (name == "all_reduce") {
    call_ = [=](int rank, ncclComm_t comm, cudaStream_t stream) {
      GRIDLOCK_CALL(ncclAllReduce(sent(rank), received(rank), part, ncclFloat, ncclSum, comm, stream));
    };
  } else if (name == "all_gather") {
    call_ = [=](int rank, ncclComm_t comm, cudaStream_t stream) {
      GRIDLOCK_CALL(ncclAllGather(sent(rank), received(rank), part, ncclFloat, comm, stream));
    };
  } else if (name == "reduce_scatter") {
    call_ = [=](int rank, ncclComm_t comm, cudaStream_t stream) {
      GRIDLOCK_CALL(ncclReduceScatter(sent(rank), received(rank), part, ncclFloat, ncclSum, comm, stream));
    };
  } else if (name == "all_to_all") {
    call_ = [=](int rank, ncclComm_t comm, cudaStream_t stream) {
      for (int peer = 0; peer < n; ++peer) {
        const std::size_t offset = static_cast<std::size_t>(peer) * part;
        GRIDLOCK_CALL(ncclSend(sent(rank) + offset, part, ncclFloat, peer, comm, stream));
        GRIDLOCK_CALL(ncclRecv(received(rank) + offset, part, ncclFloat, peer, comm, stream));
      }
    };
  } else if (name == "sendrecv") {
    call_ = [=](int rank, ncclComm_t comm, cudaStream_t stream) {
      GRIDLOCK_CALL(ncclSend(sent(rank), part, ncclFloat, (rank + 1) % n, comm, stream));
      GRIDLOCK_CALL(ncclRecv(received(rank), part, ncclFloat, (rank + n - 1) % n, comm, stream));
    };
  } else {
    throw DeviceError("no collective '" + name + "'");
  }
}

}  // namespace gridlock::calibrate::gpu

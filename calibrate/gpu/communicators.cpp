#include "calibrate/gpu/communicators.hpp"

#include <numeric>

namespace gridlock::calibrate::gpu {
namespace {

std::vector<ncclComm_t> make(int ranks) {
  std::vector<int> devices(static_cast<std::size_t>(ranks));
  std::iota(devices.begin(), devices.end(), 0);
  std::vector<ncclComm_t> made(devices.size(), nullptr);
  GRIDLOCK_CALL(ncclCommInitAll(made.data(), ranks, devices.data()));
  return made;
}

}  // namespace

Communicators::Communicators(int ranks) : ranks_(ranks), devices_(static_cast<std::size_t>(ranks)) {
  for (int rank = 0; rank < ranks; ++rank) {
    GRIDLOCK_CALL(cudaSetDevice(rank));
    devices_[static_cast<std::size_t>(rank)].device = rank;
    devices_[static_cast<std::size_t>(rank)].stream = std::make_unique<Stream>(Stream::Priority::high);
  }
  const std::vector<ncclComm_t> made = make(ranks);
  for (std::size_t i = 0; i < made.size(); ++i) devices_[i].communicator = made[i];
}

Communicators::Communicators(const Member& member) : ranks_(member.ranks), first_(member.rank), devices_(1) {
  GRIDLOCK_CALL(cudaSetDevice(member.device));
  devices_[0].device = member.device;
  devices_[0].stream = std::make_unique<Stream>(Stream::Priority::high);
  GRIDLOCK_CALL(ncclCommInitRank(&devices_[0].communicator, member.ranks, member.id, member.rank));
}

Communicators::~Communicators() {
  for (const OfDevice& device : devices_)
    if (device.communicator != nullptr) (void)ncclCommDestroy(device.communicator);
  for (ncclComm_t communicator : for_estimates_) (void)ncclCommDestroy(communicator);
}

void Communicators::enqueue(const Call& call) const {
  GRIDLOCK_CALL(ncclGroupStart());
  for (int rank = first_; rank < first_ + count(); ++rank) call(rank, of(rank).communicator, stream(rank));
  GRIDLOCK_CALL(ncclGroupEnd());
}

std::optional<double> Communicators::estimate_s([[maybe_unused]] const Call& call) {
#ifdef NCCL_SIM_INFO_INITIALIZER
  if (count() < ranks()) return std::nullopt;
  if (for_estimates_.empty()) for_estimates_ = make(ranks());
  ncclSimInfo_t estimate = NCCL_SIM_INFO_INITIALIZER;
  GRIDLOCK_CALL(ncclGroupStart());
  for (int rank = 0; rank < ranks(); ++rank) call(rank, for_estimates_[static_cast<std::size_t>(rank)], stream(rank));
  GRIDLOCK_CALL(ncclGroupSimulateEnd(&estimate));
  if (estimate.estimatedTime > 0) return static_cast<double>(estimate.estimatedTime) * 1e-6;  // microseconds; -1: unknown
#endif
  return std::nullopt;
}

void Communicators::wait() const {
  for (const OfDevice& device : devices_) device.stream->wait();
}

}  // namespace gridlock::calibrate::gpu

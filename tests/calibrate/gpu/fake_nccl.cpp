// NCCL, with communicators of one process.
#include <nccl.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/calibrate/gpu/fake_state.hpp"

using namespace gridlock::calibrate::gpu::fake;

struct ncclComm {
  int rank, ranks;
  int device;
  bool alone;  // the other ranks are in other processes
};

namespace {

struct Call {
  ncclComm* comm;
  cudaStream_t stream;
  std::size_t bytes;
  int to, from;  // the peer of a send or a receive; -1 of a collective
};
std::vector<Call> group;

ncclResult_t take(ncclComm* comm, cudaStream_t stream, const void* send, std::size_t send_bytes, const void* receive,
                  std::size_t receive_bytes, int to, int from) {
  if (comm == nullptr) return ncclInvalidArgument;
  if (stream_of(stream).device != comm->device) complain("NCCL: a stream of another device");
  if (send != nullptr) touch(send, send_bytes, comm->device, "NCCL send buffer");
  if (receive != nullptr) touch(receive, receive_bytes, comm->device, "NCCL receive buffer");
  group.push_back({comm, stream, std::max(send_bytes, receive_bytes), to, from});
  return ncclSuccess;
}

// Every rank once in a collective; a receive for every send.
void check_group() {
  if (!group.empty() && group.front().comm->alone) return;
  std::set<int> ranks;
  std::multiset<std::pair<int, int>> sent, received;
  for (const Call& call : group) {
    if (call.to >= 0) sent.insert({call.comm->rank, call.to});
    if (call.from >= 0) received.insert({call.from, call.comm->rank});
    if (call.to < 0 && call.from < 0 && !ranks.insert(call.comm->rank).second) complain("NCCL: a rank twice");
  }
  if (!ranks.empty() && static_cast<int>(ranks.size()) != group.front().comm->ranks) complain("NCCL: a rank is missing");
  if (sent != received) complain("NCCL: sends and receives do not match");
}

#define FAKE_NCCL(name) \
  if (const auto code = injected(name)) return static_cast<ncclResult_t>(*code)

}  // namespace

extern "C" {

const char* ncclGetErrorString(ncclResult_t result) {
  return result == ncclInvalidUsage ? "invalid usage" : result == ncclRemoteError ? "remote process exited" : "some NCCL error";
}
ncclResult_t ncclGetVersion(int* version) {
  *version = 22809;
  return ncclSuccess;
}
ncclResult_t ncclCommInitAll(ncclComm_t* comms, int ranks, const int* devices) {
  FAKE_NCCL("ncclCommInitAll");
  if (std::set<int>(devices, devices + ranks).size() != static_cast<std::size_t>(ranks)) return ncclInvalidUsage;
  for (int rank = 0; rank < ranks; ++rank) comms[rank] = new ncclComm{rank, ranks, devices[rank], false};
  state().others += ranks;
  return ncclSuccess;
}
ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  for (char& c : id->internal) c = 'u';
  return ncclSuccess;
}
ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  FAKE_NCCL("ncclCommInitRank");
  if (id.internal[0] != 'u' || rank < 0 || rank >= ranks) return ncclInvalidArgument;
  *comm = new ncclComm{rank, ranks, state().device, true};
  ++state().others;
  return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  delete comm;
  --state().others;
  return ncclSuccess;
}
ncclResult_t ncclGroupStart() {
  group.clear();
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  FAKE_NCCL("ncclGroupEnd");
  check_group();
  double start = now_s(), bytes = 0;
  for (const Call& call : group) {
    start = std::max(start, stream_of(call.stream).done_s);
    bytes = std::max(bytes, static_cast<double>(call.bytes));
  }
  for (const Call& call : group) stream_of(call.stream).done_s = start + 10e-6 + bytes / state().setting.fabric_rate;
  return ncclSuccess;
}
ncclResult_t ncclGroupSimulateEnd(ncclSimInfo_t* estimate) {
  FAKE_NCCL("ncclGroupSimulateEnd");
  check_group();
  const bool collective = std::all_of(group.begin(), group.end(), [](const Call& call) { return call.to < 0 && call.from < 0; });
  if (collective) estimate->estimatedTime = 12.5F;  // microseconds
  return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* send, void* receive, std::size_t n, ncclDataType_t, ncclRedOp_t, ncclComm_t comm,
                           cudaStream_t stream) {
  FAKE_NCCL("ncclAllReduce");
  return take(comm, stream, send, 4 * n, receive, 4 * n, -1, -1);
}
ncclResult_t ncclAllGather(const void* send, void* receive, std::size_t n, ncclDataType_t, ncclComm_t comm, cudaStream_t stream) {
  FAKE_NCCL("ncclAllGather");
  return take(comm, stream, send, 4 * n, receive, 4 * n * static_cast<std::size_t>(comm->ranks), -1, -1);
}
ncclResult_t ncclReduceScatter(const void* send, void* receive, std::size_t n, ncclDataType_t, ncclRedOp_t, ncclComm_t comm,
                               cudaStream_t stream) {
  FAKE_NCCL("ncclReduceScatter");
  return take(comm, stream, send, 4 * n * static_cast<std::size_t>(comm->ranks), receive, 4 * n, -1, -1);
}
ncclResult_t ncclSend(const void* send, std::size_t n, ncclDataType_t, int peer, ncclComm_t comm, cudaStream_t stream) {
  FAKE_NCCL("ncclSend");
  return take(comm, stream, send, 4 * n, nullptr, 0, peer, -1);
}
ncclResult_t ncclRecv(void* receive, std::size_t n, ncclDataType_t, int peer, ncclComm_t comm, cudaStream_t stream) {
  FAKE_NCCL("ncclRecv");
  return take(comm, stream, nullptr, 0, receive, 4 * n, -1, peer);
}

}  // extern "C"

// What the doubles share. One device timeline, in seconds since reset(), that runs with the host's clock.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tests/calibrate/gpu/fake_cuda.hpp"

namespace gridlock::calibrate::gpu::fake {

struct Allocation {
  std::size_t bytes = 0;
  int device = 0;
};

struct FakeGraph {
  double duration_s = 0;
  int kernels = 0;
};

struct FakeStream {
  int device = 0;
  bool high_priority = false;
  double done_s = 0;                   // when all that is enqueued is done
  std::optional<FakeGraph> recording;  // while it is captured
};

struct State {
  Setting setting;
  double epoch_s = 0;
  int device = 0;
  cudaError_t sticky = cudaSuccess, last = cudaSuccess;
  std::map<std::uintptr_t, Allocation> memory;
  std::uintptr_t next_address = 0x10000;
  std::map<FakeStream*, int> streams;
  int others = 0;                                       // events, graphs, communicators, handles, host allocations
  std::map<std::string, std::pair<int, int>> failures;  // calls to go, code
  std::string complaints;
};

State& state();
double now_s();

// The code of fail(), when it is this call's turn.
std::optional<int> injected(const char* name);

void complain(const std::string& what);

// Complains unless all of it is allocated, on `device`.
void touch(const void* address, std::size_t bytes, int device, const char* who);

// Enqueues work of that duration; on a captured stream, into the graph.
void enqueue(cudaStream_t stream, double duration_s);
FakeStream& stream_of(cudaStream_t stream);

}  // namespace gridlock::calibrate::gpu::fake

// At the start of every double: an error that stuck, or was asked for.
#define FAKE_CUDA(name)                                                                                                         \
  if (::gridlock::calibrate::gpu::fake::state().sticky != cudaSuccess) return ::gridlock::calibrate::gpu::fake::state().sticky; \
  if (const auto code = ::gridlock::calibrate::gpu::fake::injected(name)) return static_cast<cudaError_t>(*code)

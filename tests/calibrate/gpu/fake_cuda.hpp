// Doubles of the CUDA runtime, cuBLASLt, NCCL and our kernels, for testing the GPU benchmarks without a GPU. The device keeps
// time as real ones do: work on a stream runs in order, for a time that follows from its size; waiting for it takes that long on
// the host. Memory is addresses without contents: every kernel and copy checks that what it touches is allocated, on its device.
#pragma once

#include <string>

namespace gridlock::calibrate::gpu::fake {

struct Setting {
  int devices = 1;
  double memory_bytes = 141e9;  // of each
  int l2_bytes = 60 << 20;
  bool driver = true;
  int compute_capability = 90;

  // The speeds of the fake device.
  double flops = 500e12;              // FLOP/s of a matrix product
  double memory_rate = 4e12;          // bytes/s of kernels
  double fabric_rate = 400e9;         // bytes/s of a collective, by the bytes of its call
  double kernel_s = 2e-6;             // every kernel, besides
  double background_slowdown = 1.25;  // of kernels on a stream of low priority, while one of high priority works
};

// Starts afresh: nothing allocated, no error.
void reset(const Setting& setting);

// The `nth` call (from 1) of function `name` from now on returns `code` and does nothing.
void fail(const std::string& name, int nth, int code);

// Things that exist: allocations, host allocations, streams, events, graphs, communicators, handles.
int alive();

// What a benchmark did wrong, a line each: memory that is not allocated, ranks that do not match. Empty when all was well.
std::string complaints();

}  // namespace gridlock::calibrate::gpu::fake

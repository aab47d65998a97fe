// A kernel (or a few) with the buffers it works on: what is timed, alone or beside something else.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>

namespace gridlock::calibrate::gpu {

class Machine;

class Work {
 public:
  virtual ~Work() = default;
  // Enqueues run number `run`; runs rotate through sets() sets of buffers.
  virtual void enqueue(int run, cudaStream_t stream) = 0;
  virtual int sets() const = 0;
};

struct GemmSize {
  std::string dtype;  // of the operands: bf16, fp16, fp8 (e4m3), tf32, fp32; results are 16-bit for the first three, else fp32
  long m = 0, n = 0, k = 0, batch = 1;
};

// C[m x n] = A[m x k] B[k x n] by cuBLASLt's first choice, both operands contiguous in k ("TN"), random data.
std::unique_ptr<Work> gemm_work(const Machine& machine, const GemmSize& size);

// Softmax of bf16 rows.
std::unique_ptr<Work> softmax_work(const Machine& machine, std::size_t rows, std::size_t columns);

enum class StreamKernel { copy, scale, triad };
// `bytes` are read and written together.
std::unique_ptr<Work> stream_work(const Machine& machine, StreamKernel kernel, double bytes);

}  // namespace gridlock::calibrate::gpu

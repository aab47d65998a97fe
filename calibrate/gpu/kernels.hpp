// Our own kernels, as host functions that enqueue them on a stream. All return the launch's result.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace gridlock::calibrate::gpu {

enum class Element { bf16, fp16, fp8, fp32 };

// Uniform in [-1, 1), a different stream of numbers for each seed: real data costs more power, and so clocks, than zeros.
cudaError_t fill_random(void* data, std::size_t elements, Element element, std::uint32_t seed, cudaStream_t stream);

// b = a;  b = 3 a;  c = a + 3 b. Elements: a multiple of 4.
cudaError_t copy(const float* a, float* b, std::size_t elements, cudaStream_t stream);
cudaError_t scale(const float* a, float* b, std::size_t elements, cudaStream_t stream);
cudaError_t triad(const float* a, const float* b, float* c, std::size_t elements, cudaStream_t stream);

// The copy with at most `blocks` blocks of 1024 threads, each of which fills an SM: what a collective's channels look like to
// other kernels.
cudaError_t copy_on_sms(const float* a, float* b, std::size_t elements, int blocks, cudaStream_t stream);

// Row-wise softmax of bf16, rows x columns; a block a row, each element read twice (the second time from the cache) and written
// once.
cudaError_t softmax(const void* in, void* out, std::size_t rows, std::size_t columns, cudaStream_t stream);

cudaError_t empty(cudaStream_t stream);

// Faults, to see that they are survived: writes to address 8, and runs for `seconds` (on the device's clock) doing nothing.
cudaError_t illegal_access(cudaStream_t stream);
cudaError_t spin(double seconds, cudaStream_t stream);

}  // namespace gridlock::calibrate::gpu

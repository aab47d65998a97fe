#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "calibrate/gpu/kernels.hpp"

namespace gridlock::calibrate::gpu {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned most_blocks = 65536;  // grid-stride loops do the rest

unsigned blocks_for(std::size_t items) {
  const std::size_t blocks = (items + threads - 1) / threads;
  return blocks < 1 ? 1 : blocks > most_blocks ? most_blocks : static_cast<unsigned>(blocks);
}

__device__ std::size_t first_item() { return blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; }
__device__ std::size_t stride() { return gridDim.x * static_cast<std::size_t>(blockDim.x); }

// A mixing function of 64 bits (the finaliser of MurmurHash3).
__device__ float uniform(std::uint64_t counter) {
  counter ^= counter >> 33;
  counter *= 0xff51afd7ed558ccdULL;
  counter ^= counter >> 33;
  counter *= 0xc4ceb9fe1a85ec53ULL;
  counter ^= counter >> 33;
  return static_cast<float>(counter >> 40) * 0x1p-23F - 1.0F;
}

template <class T>
__global__ void fill_kernel(T* data, std::size_t elements, std::uint64_t seed) {
  for (std::size_t i = first_item(); i < elements; i += stride()) data[i] = T(uniform((seed << 40) + i));
}

template <class T>
void fill(void* data, std::size_t elements, std::uint32_t seed, cudaStream_t stream) {
  fill_kernel<<<blocks_for(elements), threads, 0, stream>>>(static_cast<T*>(data), elements, seed);
}

__global__ void copy_kernel(const float4* a, float4* b, std::size_t n) {
  for (std::size_t i = first_item(); i < n; i += stride()) b[i] = a[i];
}

__global__ void scale_kernel(const float4* a, float4* b, std::size_t n) {
  for (std::size_t i = first_item(); i < n; i += stride()) {
    const float4 x = a[i];
    b[i] = make_float4(3 * x.x, 3 * x.y, 3 * x.z, 3 * x.w);
  }
}

__global__ void triad_kernel(const float4* a, const float4* b, float4* c, std::size_t n) {
  for (std::size_t i = first_item(); i < n; i += stride()) {
    const float4 x = a[i], y = b[i];
    c[i] = make_float4(x.x + 3 * y.x, x.y + 3 * y.y, x.z + 3 * y.z, x.w + 3 * y.w);
  }
}

// The largest or the sum of `value` over the block of 256 threads.
template <bool largest>
__device__ float reduce(float value) {
  __shared__ float of_warp[threads / 32];
  for (int step = 16; step > 0; step /= 2) {
    const float other = __shfl_xor_sync(0xffffffffU, value, step);
    value = largest ? fmaxf(value, other) : value + other;
  }
  __syncthreads();  // of_warp may still be read from the last call
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  for (unsigned warp = 1; warp < threads / 32; ++warp) value = largest ? fmaxf(value, of_warp[warp]) : value + of_warp[warp];
  return value;
}

__global__ void softmax_kernel(const __nv_bfloat162* in, __nv_bfloat162* out, std::size_t rows, std::size_t pairs) {
  for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const __nv_bfloat162* x = in + row * pairs;
    __nv_bfloat162* y = out + row * pairs;
    // One pass over the row keeps the running maximum and the sum relative to it.
    float top = -3.4e38F, sum = 0;
    for (std::size_t i = threadIdx.x; i < pairs; i += blockDim.x) {
      const float2 v = __bfloat1622float2(x[i]);
      const float higher = fmaxf(top, fmaxf(v.x, v.y));
      sum = sum * __expf(top - higher) + __expf(v.x - higher) + __expf(v.y - higher);
      top = higher;
    }
    const float row_top = reduce<true>(top);
    const float scale = 1.0F / reduce<false>(sum * __expf(top - row_top));
    for (std::size_t i = threadIdx.x; i < pairs; i += blockDim.x) {
      const float2 v = __bfloat1622float2(x[i]);
      y[i] = __floats2bfloat162_rn(__expf(v.x - row_top) * scale, __expf(v.y - row_top) * scale);
    }
  }
}

__global__ void empty_kernel() {}

__global__ void write_to(int* address) { *address = 1; }

__global__ void spin_kernel(std::uint64_t nanoseconds) {
  const auto now = [] {
    std::uint64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
  };
  const std::uint64_t start = now();
  while (now() - start < nanoseconds) {
  }
}

const float4* quads(const float* data) { return reinterpret_cast<const float4*>(data); }
float4* quads(float* data) { return reinterpret_cast<float4*>(data); }

}  // namespace

cudaError_t fill_random(void* data, std::size_t elements, Element element, std::uint32_t seed, cudaStream_t stream) {
  switch (element) {
    case Element::bf16:
      fill<__nv_bfloat16>(data, elements, seed, stream);
      break;
    case Element::fp16:
      fill<__half>(data, elements, seed, stream);
      break;
    case Element::fp8:
      fill<__nv_fp8_e4m3>(data, elements, seed, stream);
      break;
    case Element::fp32:
      fill<float>(data, elements, seed, stream);
      break;
  }
  return cudaGetLastError();
}

cudaError_t copy(const float* a, float* b, std::size_t elements, cudaStream_t stream) {
  copy_kernel<<<blocks_for(elements / 4), threads, 0, stream>>>(quads(a), quads(b), elements / 4);
  return cudaGetLastError();
}

cudaError_t scale(const float* a, float* b, std::size_t elements, cudaStream_t stream) {
  scale_kernel<<<blocks_for(elements / 4), threads, 0, stream>>>(quads(a), quads(b), elements / 4);
  return cudaGetLastError();
}

cudaError_t triad(const float* a, const float* b, float* c, std::size_t elements, cudaStream_t stream) {
  triad_kernel<<<blocks_for(elements / 4), threads, 0, stream>>>(quads(a), quads(b), quads(c), elements / 4);
  return cudaGetLastError();
}

cudaError_t copy_on_sms(const float* a, float* b, std::size_t elements, int blocks, cudaStream_t stream) {
  copy_kernel<<<static_cast<unsigned>(blocks), 1024, 0, stream>>>(quads(a), quads(b), elements / 4);
  return cudaGetLastError();
}

cudaError_t softmax(const void* in, void* out, std::size_t rows, std::size_t columns, cudaStream_t stream) {
  const unsigned blocks = rows < most_blocks ? static_cast<unsigned>(rows) : most_blocks;
  softmax_kernel<<<blocks, threads, 0, stream>>>(static_cast<const __nv_bfloat162*>(in), static_cast<__nv_bfloat162*>(out), rows,
                                                 columns / 2);
  return cudaGetLastError();
}

cudaError_t empty(cudaStream_t stream) {
  empty_kernel<<<1, 32, 0, stream>>>();
  return cudaGetLastError();
}

cudaError_t illegal_access(cudaStream_t stream) {
  write_to<<<1, 1, 0, stream>>>(reinterpret_cast<int*>(8));
  return cudaGetLastError();
}

cudaError_t spin(double seconds, cudaStream_t stream) {
  spin_kernel<<<1, 1, 0, stream>>>(static_cast<std::uint64_t>(seconds * 1e9));
  return cudaGetLastError();
}

}  // namespace gridlock::calibrate::gpu

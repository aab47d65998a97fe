// Our kernels.
#include "calibrate/gpu/kernels.hpp"
#include "tests/calibrate/gpu/fake_state.hpp"

namespace gridlock::calibrate::gpu {
namespace {

using namespace fake;

std::size_t bytes_of(Element element) { return element == Element::fp8 ? 1 : element == Element::fp32 ? 4 : 2; }

// A kernel that reads and writes these bytes.
cudaError_t run(double bytes, cudaStream_t stream) {
  enqueue(stream, state().setting.kernel_s + bytes / state().setting.memory_rate);
  return cudaSuccess;
}

}  // namespace

cudaError_t fill_random(void* data, std::size_t elements, Element element, std::uint32_t, cudaStream_t stream) {
  FAKE_CUDA("fill_random");
  touch(data, elements * bytes_of(element), stream_of(stream).device, "fill_random");
  return run(static_cast<double>(elements * bytes_of(element)), stream);
}

cudaError_t copy(const float* a, float* b, std::size_t elements, cudaStream_t stream) {
  FAKE_CUDA("copy");
  touch(a, 4 * elements, stream_of(stream).device, "copy a");
  touch(b, 4 * elements, stream_of(stream).device, "copy b");
  return run(8.0 * static_cast<double>(elements), stream);
}
cudaError_t scale(const float* a, float* b, std::size_t elements, cudaStream_t stream) { return copy(a, b, elements, stream); }

cudaError_t triad(const float* a, const float* b, float* c, std::size_t elements, cudaStream_t stream) {
  FAKE_CUDA("triad");
  touch(a, 4 * elements, stream_of(stream).device, "triad a");
  touch(b, 4 * elements, stream_of(stream).device, "triad b");
  touch(c, 4 * elements, stream_of(stream).device, "triad c");
  return run(12.0 * static_cast<double>(elements), stream);
}

cudaError_t copy_on_sms(const float* a, float* b, std::size_t elements, int, cudaStream_t stream) {
  return copy(a, b, elements, stream);
}

cudaError_t softmax(const void* in, void* out, std::size_t rows, std::size_t columns, cudaStream_t stream) {
  FAKE_CUDA("softmax");
  touch(in, 2 * rows * columns, stream_of(stream).device, "softmax in");
  touch(out, 2 * rows * columns, stream_of(stream).device, "softmax out");
  return run(4.0 * static_cast<double>(rows * columns), stream);
}

cudaError_t empty(cudaStream_t stream) { return run(0, stream); }

cudaError_t illegal_access(cudaStream_t) {
  state().sticky = cudaErrorIllegalAddress;
  return cudaSuccess;
}

cudaError_t spin(double seconds, cudaStream_t stream) {
  enqueue(stream, seconds);
  return cudaSuccess;
}

}  // namespace gridlock::calibrate::gpu

// The CUDA runtime.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "tests/calibrate/gpu/fake_state.hpp"

using namespace gridlock::calibrate::gpu::fake;

namespace {

struct FakeEvent {
  double at_s = 0;
};

void wait_until(double at_s) {
  const double left = at_s - now_s();
  if (left > 0) std::this_thread::sleep_for(std::chrono::duration<double>(left));
}

FakeEvent& event_of(cudaEvent_t event) { return *reinterpret_cast<FakeEvent*>(event); }

}  // namespace

extern "C" {

const char* cudaGetErrorString(cudaError_t error) {
  if (error == cudaErrorMemoryAllocation) return "out of memory";
  return error == cudaErrorIllegalAddress ? "an illegal memory access was encountered" : "some CUDA error";
}
const char* cudaGetErrorName(cudaError_t) { return "cudaErrorOfTheFake"; }
cudaError_t cudaGetLastError() { return std::exchange(state().last, state().sticky); }

cudaError_t cudaDriverGetVersion(int* version) {
  *version = state().setting.driver ? 13000 : 0;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  FAKE_CUDA("cudaGetDeviceCount");
  if (!state().setting.driver) return cudaErrorInsufficientDriver;
  *count = state().setting.devices;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  FAKE_CUDA("cudaGetDeviceProperties");
  *properties = cudaDeviceProp{};
  std::strcpy(properties->name, "Fake GPU");
  properties->major = state().setting.compute_capability / 10;
  properties->minor = state().setting.compute_capability % 10;
  properties->multiProcessorCount = 132;
  properties->l2CacheSize = state().setting.l2_bytes;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int) {
  std::strncpy(text, "0000:00:00.0", static_cast<std::size_t>(length) - 1);
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  FAKE_CUDA("cudaSetDevice");
  if (device < 0 || device >= state().setting.devices) return cudaErrorInvalidDevice;
  state().device = device;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* available, std::size_t* total) {
  FAKE_CUDA("cudaMemGetInfo");
  *total = *available = static_cast<std::size_t>(state().setting.memory_bytes);
  for (const auto& [address, allocation] : state().memory)
    if (allocation.device == state().device) *available -= allocation.bytes;
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** address, std::size_t bytes) {
  FAKE_CUDA("cudaMalloc");
  std::size_t available = 0, total = 0;
  cudaMemGetInfo(&available, &total);
  if (bytes > available) return state().last = cudaErrorMemoryAllocation;
  state().memory[state().next_address] = {bytes, state().device};
  *address = reinterpret_cast<void*>(state().next_address);
  state().next_address += bytes + 4096;
  return cudaSuccess;
}
cudaError_t cudaFree(void* address) {
  if (state().memory.erase(reinterpret_cast<std::uintptr_t>(address)) == 0) complain("cudaFree: no such memory");
  return state().sticky;
}
cudaError_t cudaMallocHost(void** address, std::size_t bytes) {
  FAKE_CUDA("cudaMallocHost");
  *address = std::malloc(bytes);
  ++state().others;
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* address) {
  std::free(address);
  --state().others;
  return state().sticky;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int priority) {
  FAKE_CUDA("cudaStreamCreateWithPriority");
  auto* const fake = new FakeStream{state().device, priority < 0, 0, std::nullopt};
  state().streams[fake] = 0;
  *stream = reinterpret_cast<cudaStream_t>(fake);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  FakeStream* const fake = &stream_of(stream);
  state().streams.erase(fake);
  delete fake;
  return state().sticky;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  FAKE_CUDA("cudaStreamSynchronize");
  if (stream_of(stream).recording) return cudaErrorStreamCaptureUnsupported;
  wait_until(stream_of(stream).done_s);
  return state().sticky;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  FAKE_CUDA("cudaStreamWaitEvent");
  stream_of(stream).done_s = std::max(stream_of(stream).done_s, event_of(event).at_s);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  FAKE_CUDA("cudaEventCreate");
  *event = reinterpret_cast<cudaEvent_t>(new FakeEvent);
  ++state().others;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete &event_of(event);
  --state().others;
  return state().sticky;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  FAKE_CUDA("cudaEventRecord");
  event_of(event).at_s = std::max(stream_of(stream).done_s, now_s());
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  FAKE_CUDA("cudaEventSynchronize");
  wait_until(event_of(event).at_s);
  return state().sticky;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  FAKE_CUDA("cudaEventElapsedTime");
  *milliseconds = static_cast<float>((event_of(end).at_s - event_of(start).at_s) * 1e3);
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  FAKE_CUDA("cudaStreamBeginCapture");
  stream_of(stream).recording = FakeGraph{};
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  FAKE_CUDA("cudaStreamEndCapture");
  *graph = reinterpret_cast<cudaGraph_t>(new FakeGraph(*stream_of(stream).recording));
  ++state().others;
  stream_of(stream).recording.reset();
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  FAKE_CUDA("cudaGraphInstantiate");
  *executable = reinterpret_cast<cudaGraphExec_t>(new FakeGraph(*reinterpret_cast<FakeGraph*>(graph)));
  ++state().others;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete reinterpret_cast<FakeGraph*>(graph);
  --state().others;
  return state().sticky;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  delete reinterpret_cast<FakeGraph*>(graph);
  --state().others;
  return state().sticky;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  FAKE_CUDA("cudaGraphLaunch");
  enqueue(stream, reinterpret_cast<FakeGraph*>(graph)->duration_s);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  FAKE_CUDA("cudaMemcpyAsync");
  if (to == nullptr || from == nullptr) return state().last = cudaErrorInvalidValue;
  touch(kind == cudaMemcpyHostToDevice ? to : from, bytes, stream_of(stream).device, "cudaMemcpyAsync");
  enqueue(stream, static_cast<double>(bytes) / 50e9);
  return cudaSuccess;
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream) {
  FAKE_CUDA("cudaMemcpyPeerAsync");
  touch(to, bytes, to_device, "cudaMemcpyPeerAsync to");
  touch(from, bytes, from_device, "cudaMemcpyPeerAsync from");
  enqueue(stream, static_cast<double>(bytes) / 400e9);
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* possible, int from, int to) {
  *possible = from != to;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  FAKE_CUDA("cudaDeviceEnablePeerAccess");
  return cudaSuccess;
}

}  // extern "C"

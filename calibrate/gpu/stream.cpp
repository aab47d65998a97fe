#include "calibrate/gpu/stream.hpp"

namespace gridlock::calibrate::gpu {

Stream::Stream(Priority priority) {
  int least = 0, greatest = 0;
  GRIDLOCK_CALL(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  GRIDLOCK_CALL(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority == Priority::high ? greatest : least));
}

Stream::~Stream() {
  if (stream_ != nullptr) (void)cudaStreamDestroy(stream_);
}

double seconds_between(const Event& start, const Event& end) {
  float milliseconds = 0;
  GRIDLOCK_CALL(cudaEventElapsedTime(&milliseconds, start, end));
  return static_cast<double>(milliseconds) * 1e-3;
}

Graph::Graph(cudaStream_t stream, const std::function<void()>& enqueue) {
  cudaGraph_t graph = nullptr;
  GRIDLOCK_CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  try {
    enqueue();
  } catch (...) {
    (void)cudaStreamEndCapture(stream, &graph);  // leave the stream usable
    if (graph != nullptr) (void)cudaGraphDestroy(graph);
    (void)cudaGetLastError();
    throw;
  }
  GRIDLOCK_CALL(cudaStreamEndCapture(stream, &graph));
  const cudaError_t result = cudaGraphInstantiate(&executable_, graph, 0);
  (void)cudaGraphDestroy(graph);
  check(result, "cudaGraphInstantiate");
}

Graph::~Graph() {
  if (executable_ != nullptr) (void)cudaGraphExecDestroy(executable_);
}

}  // namespace gridlock::calibrate::gpu

// Streams, events and graphs that are destroyed with their scope; of the device that is current when they are made.
#pragma once

#include <functional>

#include "calibrate/gpu/check.hpp"

namespace gridlock::calibrate::gpu {

class Stream {
 public:
  enum class Priority { normal, high };
  explicit Stream(Priority priority = Priority::normal);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  operator cudaStream_t() const { return stream_; }
  void wait() const { GRIDLOCK_CALL(cudaStreamSynchronize(stream_)); }  // for all that is enqueued

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { GRIDLOCK_CALL(cudaEventCreate(&event_)); }
  ~Event() {
    if (event_ != nullptr) (void)cudaEventDestroy(event_);
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  Event(Event&& other) noexcept : event_(other.event_) { other.event_ = nullptr; }
  Event& operator=(Event&&) = delete;

  operator cudaEvent_t() const { return event_; }
  void record(cudaStream_t stream) const { GRIDLOCK_CALL(cudaEventRecord(event_, stream)); }
  void wait() const { GRIDLOCK_CALL(cudaEventSynchronize(event_)); }

 private:
  cudaEvent_t event_ = nullptr;
};

// Seconds on the device between two events that have happened.
double seconds_between(const Event& start, const Event& end);

// What `enqueue` puts on a stream, recorded once and replayed without the cost of the launches.
class Graph {
 public:
  Graph(cudaStream_t stream, const std::function<void()>& enqueue);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void launch(cudaStream_t stream) const { GRIDLOCK_CALL(cudaGraphLaunch(executable_, stream)); }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace gridlock::calibrate::gpu

#include "tests/calibrate/gpu/fake_state.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace gridlock::calibrate::gpu::fake {
namespace {

double host_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

State& state() {
  static State the_state = [] {
    State made;
    if (const char* gpus = std::getenv("FAKE_GPUS")) made.setting.devices = std::atoi(gpus);  // of a whole program
    return made;
  }();
  return the_state;
}

void reset(const Setting& setting) {
  state() = State{};
  state().setting = setting;
  state().epoch_s = host_s();
}

double now_s() { return host_s() - state().epoch_s; }

void fail(const std::string& name, int nth, int code) { state().failures[name] = {nth, code}; }

std::optional<int> injected(const char* name) {
  const auto found = state().failures.find(name);
  if (found == state().failures.end() || --found->second.first != 0) return std::nullopt;
  return found->second.second;
}

int alive() { return static_cast<int>(state().memory.size() + state().streams.size()) + state().others; }

std::string complaints() { return state().complaints; }
void complain(const std::string& what) { state().complaints += what + "\n"; }

void touch(const void* address, std::size_t bytes, int device, const char* who) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto after = state().memory.upper_bound(at);
  if (after == state().memory.begin()) return complain(std::string(who) + ": no memory there");
  const auto& [start, allocation] = *std::prev(after);
  if (at + bytes > start + allocation.bytes) return complain(std::string(who) + ": beyond its memory");
  if (allocation.device != device) complain(std::string(who) + ": memory of another device");
}

FakeStream& stream_of(cudaStream_t stream) {
  auto* const fake = reinterpret_cast<FakeStream*>(stream);
  if (state().streams.count(fake) == 0) throw std::logic_error("no such stream");
  return *fake;
}

void enqueue(cudaStream_t stream, double duration_s) {
  FakeStream& s = stream_of(stream);
  if (s.recording) {
    s.recording->duration_s += duration_s;
    ++s.recording->kernels;
    return;
  }
  const double start = std::max(s.done_s, now_s());
  const bool disturbed = !s.high_priority && std::any_of(state().streams.begin(), state().streams.end(), [&](const auto& other) {
    return other.first->high_priority && other.first->device == s.device && other.first->done_s > start;
  });
  s.done_s = start + duration_s * (disturbed ? state().setting.background_slowdown : 1);
}

}  // namespace gridlock::calibrate::gpu::fake

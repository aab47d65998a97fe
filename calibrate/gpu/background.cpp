#include "calibrate/gpu/background.hpp"

#include "calibrate/gpu/collectives.hpp"
#include "calibrate/gpu/kernels.hpp"

namespace gridlock::calibrate::gpu {
namespace {

constexpr double message_bytes = 256.0 * 1024 * 1024;

class AllReduce : public Background {
 public:
  explicit AllReduce(Machine& machine)
      : communicators_(machine.communicators(machine.devices())), collective_("all_reduce", communicators_, message_bytes) {}
  void enqueue() override { collective_.enqueue(); }
  const Stream& stream() const override { return communicators_.stream(0); }
  std::string name() const override { return "all-reduce"; }
  std::map<std::string, double> numbers() const override { return {{"background_bytes", message_bytes}}; }

 private:
  Communicators& communicators_;
  Collective collective_;
};

class Copy : public Background {
 public:
  explicit Copy(const Machine& machine) : stream_(Stream::Priority::high), data_(static_cast<std::size_t>(2 * message_bytes)) {
    GRIDLOCK_CALL(fill_random(data_.at(), data_.bytes() / 4, Element::fp32, 1, machine.stream()));
    machine.stream().wait();
  }
  void enqueue() override {
    const auto half = static_cast<std::size_t>(message_bytes);
    GRIDLOCK_CALL(copy_on_sms(data_.at<float>(), data_.at<float>(half), half / 4, sms, stream_));
  }
  const Stream& stream() const override { return stream_; }
  std::string name() const override { return "copy"; }
  std::map<std::string, double> numbers() const override {
    return {{"background_bytes", 2 * message_bytes}, {"background_sms", sms}};
  }

 private:
  static constexpr int sms = 16;
  Stream stream_;
  DeviceBuffer data_;
};

}  // namespace

std::unique_ptr<Background> all_reduce_background(Machine& machine) { return std::make_unique<AllReduce>(machine); }
std::unique_ptr<Background> copy_background(Machine& machine) { return std::make_unique<Copy>(machine); }

}  // namespace gridlock::calibrate::gpu

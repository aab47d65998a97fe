#include "calibrate/gpu/kernels.hpp"
#include "calibrate/gpu/machine.hpp"
#include "calibrate/gpu/work.hpp"

namespace gridlock::calibrate::gpu {
namespace {

// `arrays` arrays of one size, in as many sets as rotating past the L2 cache takes, filled with random numbers.
class Arrays {
 public:
  Arrays(const Machine& machine, int arrays, std::size_t elements, Element element, std::size_t element_bytes)
      : array_bytes_((elements * element_bytes + 255) / 256 * 256),
        arrays_(static_cast<std::size_t>(arrays)),
        sets_(machine.rotating_sets(static_cast<double>(array_bytes_ * arrays_))),
        data_(array_bytes_ * arrays_ * static_cast<std::size_t>(sets_)) {
    GRIDLOCK_CALL(fill_random(data_.at(), data_.bytes() / element_bytes, element, 1, machine.stream()));
    machine.stream().wait();
  }
  template <class T>
  T* at(int run, int array) const {
    return data_.at<T>((static_cast<std::size_t>(run % sets_) * arrays_ + static_cast<std::size_t>(array)) * array_bytes_);
  }
  int sets() const { return sets_; }

 private:
  std::size_t array_bytes_, arrays_;
  int sets_;
  DeviceBuffer data_;
};

class Softmax : public Work {
 public:
  Softmax(const Machine& machine, std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), arrays_(machine, 2, rows * columns, Element::bf16, 2) {}
  void enqueue(int run, cudaStream_t stream) override {
    GRIDLOCK_CALL(softmax(arrays_.at<void>(run, 0), arrays_.at<void>(run, 1), rows_, columns_, stream));
  }
  int sets() const override { return arrays_.sets(); }

 private:
  std::size_t rows_, columns_;
  Arrays arrays_;
};

class Streaming : public Work {
 public:
  Streaming(const Machine& machine, StreamKernel kernel, std::size_t elements)
      : kernel_(kernel), elements_(elements), arrays_(machine, arrays(kernel), elements, Element::fp32, 4) {}
  static int arrays(StreamKernel kernel) { return kernel == StreamKernel::triad ? 3 : 2; }

  void enqueue(int run, cudaStream_t stream) override {
    float* const a = arrays_.at<float>(run, 0);
    float* const b = arrays_.at<float>(run, 1);
    switch (kernel_) {
      case StreamKernel::copy:
        GRIDLOCK_CALL(copy(a, b, elements_, stream));
        break;
      case StreamKernel::scale:
        GRIDLOCK_CALL(scale(a, b, elements_, stream));
        break;
      case StreamKernel::triad:
        GRIDLOCK_CALL(triad(a, b, arrays_.at<float>(run, 2), elements_, stream));
        break;
    }
  }
  int sets() const override { return arrays_.sets(); }

 private:
  StreamKernel kernel_;
  std::size_t elements_;
  Arrays arrays_;
};

}  // namespace

std::unique_ptr<Work> softmax_work(const Machine& machine, std::size_t rows, std::size_t columns) {
  return std::make_unique<Softmax>(machine, rows, columns);
}

std::unique_ptr<Work> stream_work(const Machine& machine, StreamKernel kernel, double bytes) {
  const auto elements = static_cast<std::size_t>(bytes / 4 / Streaming::arrays(kernel)) / 4 * 4;  // whole float4s
  return std::make_unique<Streaming>(machine, kernel, elements);
}

}  // namespace gridlock::calibrate::gpu

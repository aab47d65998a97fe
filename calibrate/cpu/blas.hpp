// A BLAS library (OpenBLAS, or any other with the C interface), loaded when something is measured: the simulator starts without
// its threads, and a machine without one can still do everything else.
#pragma once

#include <string>

namespace gridlock::calibrate {

class Blas {
 public:
  // Loads `library`, or where it is empty the first of the usual names that there is. Throws DeviceMissing (device.hpp).
  explicit Blas(const std::string& library = "");
  ~Blas();
  Blas(const Blas&) = delete;
  Blas& operator=(const Blas&) = delete;

  // C[m x n] = A[m x k] B[k x n], row-major, no padding.
  void multiply(int m, int n, int k, const float* a, const float* b, float* c) const;
  void multiply(int m, int n, int k, const double* a, const double* b, double* c) const;

  // Threads of later calls; false where the library offers no way to say so and `threads` is not what it uses anyway.
  bool set_threads(int threads) const;

  // "OpenBLAS 0.3.21 ... Haswell MAX_THREADS=64", or the file's name.
  std::string description() const;

 private:
  void* symbol(const char* name) const;
  void* handle_ = nullptr;
  std::string name_;
};

}  // namespace gridlock::calibrate

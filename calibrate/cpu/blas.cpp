#include "calibrate/cpu/blas.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <vector>

#include "calibrate/measure/device.hpp"

namespace gridlock::calibrate {
namespace {

// Values of the C interface's enumerations (netlib cblas.h).
constexpr int row_major = 101, not_transposed = 111;

using Sgemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int);
using Dgemm = void (*)(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*, int);

}  // namespace

Blas::Blas(const std::string& library) {
  const std::vector<std::string> names =
      library.empty() ? std::vector<std::string>{"libopenblas.so.0", "libopenblas.so", "libblas.so.3"} : std::vector{library};
  for (const std::string& name : names) {
    handle_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    name_ = name;
    if (handle_ != nullptr && symbol("cblas_sgemm") != nullptr && symbol("cblas_dgemm") != nullptr) return;
    if (handle_ != nullptr) ::dlclose(handle_);
    handle_ = nullptr;
  }
  throw DeviceMissing(library.empty()
                          ? "matrix products on the CPU need OpenBLAS: install libopenblas0, or name a library with --blas"
                          : fmt::format("{} is no BLAS library with the C interface, or cannot be loaded", library));
}

Blas::~Blas() {
  // Never unloaded: the library's threads would wake up to code that is gone.
}

void* Blas::symbol(const char* name) const { return ::dlsym(handle_, name); }

void Blas::multiply(int m, int n, int k, const float* a, const float* b, float* c) const {
  reinterpret_cast<Sgemm>(symbol("cblas_sgemm"))(row_major, not_transposed, not_transposed, m, n, k, 1, a, k, b, n, 0, c, n);
}

void Blas::multiply(int m, int n, int k, const double* a, const double* b, double* c) const {
  reinterpret_cast<Dgemm>(symbol("cblas_dgemm"))(row_major, not_transposed, not_transposed, m, n, k, 1, a, k, b, n, 0, c, n);
}

bool Blas::set_threads(int threads) const {
  for (const char* name : {"openblas_set_num_threads", "MKL_Set_Num_Threads", "bli_thread_set_num_threads"}) {
    if (void* set = symbol(name)) {
      reinterpret_cast<void (*)(int)>(set)(threads);
      return true;
    }
  }
  return threads == 1;
}

std::string Blas::description() const {
  void* config = symbol("openblas_get_config");
  return config != nullptr ? reinterpret_cast<const char* (*)()>(config)() : name_;
}

}  // namespace gridlock::calibrate

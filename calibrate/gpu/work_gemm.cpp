#include <cublasLt.h>
#include <fmt/format.h>

#include "calibrate/gpu/kernels.hpp"
#include "calibrate/gpu/machine.hpp"
#include "calibrate/gpu/work.hpp"

namespace gridlock::calibrate::gpu {
namespace {

struct Types {
  cudaDataType_t operand, result;
  cublasComputeType_t compute;
  Element element;
  std::size_t operand_bytes, result_bytes;
};

Types types_of(const std::string& dtype) {
  if (dtype == "bf16") return {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, Element::bf16, 2, 2};
  if (dtype == "fp16") return {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, Element::fp16, 2, 2};
  if (dtype == "fp8") return {CUDA_R_8F_E4M3, CUDA_R_16BF, CUBLAS_COMPUTE_32F, Element::fp8, 1, 2};
  if (dtype == "tf32") return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, Element::fp32, 4, 4};
  if (dtype == "fp32") return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, Element::fp32, 4, 4};
  throw DeviceError("no GEMM of element type '" + dtype + "'");
}

// cuBLASLt's descriptions of an operation and of matrices, destroyed with their scope.
struct Operation {
  cublasLtMatmulDesc_t desc = nullptr;
  explicit Operation(cublasComputeType_t compute) { GRIDLOCK_CALL(cublasLtMatmulDescCreate(&desc, compute, CUDA_R_32F)); }
  ~Operation() {
    if (desc != nullptr) (void)cublasLtMatmulDescDestroy(desc);
  }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, T value) const {
    GRIDLOCK_CALL(cublasLtMatmulDescSetAttribute(desc, attribute, &value, sizeof value));
  }
};

struct Matrix {
  cublasLtMatrixLayout_t layout = nullptr;
  Matrix(cudaDataType_t type, long rows, long columns, long batch) {  // column by column
    GRIDLOCK_CALL(
        cublasLtMatrixLayoutCreate(&layout, type, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns), rows));
    const std::int32_t count = static_cast<std::int32_t>(batch);
    const std::int64_t stride = rows * columns;
    GRIDLOCK_CALL(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count));
    GRIDLOCK_CALL(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride));
  }
  ~Matrix() {
    if (layout != nullptr) (void)cublasLtMatrixLayoutDestroy(layout);
  }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
};

struct Preference {
  cublasLtMatmulPreference_t preference = nullptr;
  explicit Preference(std::size_t workspace) {
    GRIDLOCK_CALL(cublasLtMatmulPreferenceCreate(&preference));
    GRIDLOCK_CALL(
        cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace, sizeof workspace));
  }
  ~Preference() {
    if (preference != nullptr) (void)cublasLtMatmulPreferenceDestroy(preference);
  }
  Preference(const Preference&) = delete;
  Preference& operator=(const Preference&) = delete;
};

std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

// cuBLASLt counts columns first: A is stored k x m and transposed, B k x n, C m x n. 8-bit operands allow no other way.
class Gemm : public Work {
 public:
  Gemm(const Machine& machine, const GemmSize& size)
      : machine_(machine),
        types_(types_of(size.dtype)),
        operation_(types_.compute),
        a_(types_.operand, size.k, size.m, size.batch),
        b_(types_.operand, size.k, size.n, size.batch),
        c_(types_.result, size.m, size.n, size.batch),
        a_elements_(static_cast<std::size_t>(size.m * size.k * size.batch)),
        b_elements_(static_cast<std::size_t>(size.k * size.n * size.batch)),
        set_bytes_(b_offset() + aligned(b_elements_ * types_.operand_bytes) +
                   aligned(static_cast<std::size_t>(size.m * size.n * size.batch) * types_.result_bytes)),
        sets_(machine.rotating_sets(static_cast<double>(set_bytes_))),
        data_(set_bytes_ * static_cast<std::size_t>(sets_)) {
    operation_.set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    if (size.dtype == "fp8") operation_.set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});  // as frameworks do forward
    choose(size);
    for (int set = 0; set < sets_; ++set) {
      const std::uint32_t seed = 2 * static_cast<std::uint32_t>(set);
      GRIDLOCK_CALL(fill_random(a(set), a_elements_, types_.element, seed, machine.stream()));
      GRIDLOCK_CALL(fill_random(b(set), b_elements_, types_.element, seed + 1, machine.stream()));
    }
    machine.stream().wait();
  }

  void enqueue(int run, cudaStream_t stream) override {
    const int set = run % sets_;
    const float one = 1, zero = 0;
    GRIDLOCK_CALL(cublasLtMatmul(machine_.lt(), operation_.desc, &one, a(set), a_.layout, b(set), b_.layout, &zero, c(set),
                                 c_.layout, c(set), c_.layout, &algorithm_, machine_.workspace().at<void>(),
                                 machine_.workspace().bytes(), stream));
  }
  int sets() const override { return sets_; }

 private:
  void choose(const GemmSize& size) {
    const Preference preference(machine_.workspace().bytes());
    cublasLtMatmulHeuristicResult_t found{};
    int count = 0;
    GRIDLOCK_CALL(cublasLtMatmulAlgoGetHeuristic(machine_.lt(), operation_.desc, a_.layout, b_.layout, c_.layout, c_.layout,
                                                 preference.preference, 1, &found, &count));
    if (count == 0)
      throw DeviceError(fmt::format("cuBLASLt has no kernel for {} {} x {} x {}", size.dtype, size.m, size.n, size.k));
    algorithm_ = found.algo;
  }

  std::size_t b_offset() const { return aligned(a_elements_ * types_.operand_bytes); }
  std::byte* a(int set) const { return data_.at(static_cast<std::size_t>(set) * set_bytes_); }
  std::byte* b(int set) const { return a(set) + b_offset(); }
  std::byte* c(int set) const { return b(set) + aligned(b_elements_ * types_.operand_bytes); }

  const Machine& machine_;
  Types types_;
  Operation operation_;
  Matrix a_, b_, c_;
  std::size_t a_elements_, b_elements_, set_bytes_;
  int sets_;
  DeviceBuffer data_;
  cublasLtMatmulAlgo_t algorithm_{};
};

}  // namespace

std::unique_ptr<Work> gemm_work(const Machine& machine, const GemmSize& size) { return std::make_unique<Gemm>(machine, size); }

}  // namespace gridlock::calibrate::gpu

// cuBLASLt.
#include <cublasLt.h>

#include <cstring>

#include "tests/calibrate/gpu/fake_state.hpp"

using namespace gridlock::calibrate::gpu::fake;

namespace {

struct FakeLayout {
  cudaDataType_t type;
  std::uint64_t rows, columns;
  std::int32_t batch = 1;
  std::int64_t stride = 0;

  std::size_t bytes() const {
    const std::size_t element = type == CUDA_R_8F_E4M3 ? 1 : type == CUDA_R_32F ? 4 : 2;
    return element * rows * columns * static_cast<std::size_t>(batch);
  }
};

const FakeLayout& layout_of(cublasLtMatrixLayout_t layout) { return *reinterpret_cast<const FakeLayout*>(layout); }

cublasStatus_t forget(int* thing) {
  delete thing;
  --state().others;
  return CUBLAS_STATUS_SUCCESS;
}

template <class Handle>
cublasStatus_t make(Handle* handle) {
  *handle = reinterpret_cast<Handle>(new int(0));
  ++state().others;
  return CUBLAS_STATUS_SUCCESS;
}

#define FAKE_CUBLAS(name) \
  if (const auto code = injected(name)) return static_cast<cublasStatus_t>(*code)

}  // namespace

extern "C" {

const char* cublasLtGetStatusName(cublasStatus_t status) {
  return status == CUBLAS_STATUS_NOT_SUPPORTED ? "CUBLAS_STATUS_NOT_SUPPORTED" : "CUBLAS_STATUS_OF_THE_FAKE";
}
std::size_t cublasLtGetVersion() { return 130100; }
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  FAKE_CUBLAS("cublasLtCreate");
  return make(handle);
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return forget(reinterpret_cast<int*>(handle)); }

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc, cublasComputeType_t, cudaDataType_t) { return make(desc); }
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) { return forget(reinterpret_cast<int*>(desc)); }
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t, const void*, std::size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) { return make(preference); }
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p) { return forget(reinterpret_cast<int*>(p)); }
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t, const void*,
                                                    std::size_t) {
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, std::uint64_t rows,
                                          std::uint64_t columns, std::int64_t) {
  *layout = reinterpret_cast<cublasLtMatrixLayout_t>(new FakeLayout{type, rows, columns});
  ++state().others;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete reinterpret_cast<FakeLayout*>(layout);
  --state().others;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* value, std::size_t bytes) {
  FakeLayout& fake = *reinterpret_cast<FakeLayout*>(layout);
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT) std::memcpy(&fake.batch, value, bytes);
  if (attribute == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET) std::memcpy(&fake.stride, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              cublasLtMatmulPreference_t, int, cublasLtMatmulHeuristicResult_t*, int* found) {
  FAKE_CUBLAS("cublasLtMatmulAlgoGetHeuristic");
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t, const void*, const void* a, cublasLtMatrixLayout_t a_layout,
                              const void* b, cublasLtMatrixLayout_t b_layout, const void*, const void*, cublasLtMatrixLayout_t,
                              void* c, cublasLtMatrixLayout_t c_layout, const cublasLtMatmulAlgo_t*, void* workspace,
                              std::size_t workspace_bytes, cudaStream_t stream) {
  FAKE_CUBLAS("cublasLtMatmul");
  const FakeLayout &la = layout_of(a_layout), &lb = layout_of(b_layout), &lc = layout_of(c_layout);
  if (la.rows != lb.rows || la.columns != lc.rows || lb.columns != lc.columns) return CUBLAS_STATUS_INVALID_VALUE;
  const int device = stream_of(stream).device;
  touch(a, la.bytes(), device, "cublasLtMatmul a");
  touch(b, lb.bytes(), device, "cublasLtMatmul b");
  touch(c, lc.bytes(), device, "cublasLtMatmul c");
  touch(workspace, workspace_bytes, device, "cublasLtMatmul workspace");
  const double flops = 2.0 * static_cast<double>(la.rows) * static_cast<double>(lc.rows * lc.columns) * la.batch;
  enqueue(stream, state().setting.kernel_s + flops / state().setting.flops);
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"

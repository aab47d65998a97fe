#include "calibrate/gpu/check.hpp"

#include <fmt/format.h>

#include <string>

#include "calibrate/measure/device.hpp"

namespace gridlock::calibrate::gpu {
namespace {

std::string name_of(const char* call) {
  const std::string text = call;
  return text.substr(0, text.find('('));
}

// After these every later call in the process returns the same error (CUDA Runtime API, "Error handling").
bool spoils_context(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContextIsDestroyed:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

}  // namespace

void check(cudaError_t result, const char* call) {
  if (result == cudaSuccess) return;
  (void)cudaGetLastError();  // an error that spoils nothing must not come back from the next launch
  throw DeviceError(fmt::format("{}: {} ({})", name_of(call), cudaGetErrorString(result), cudaGetErrorName(result)),
                    spoils_context(result));
}

void check(cublasStatus_t result, const char* call) {
  if (result == CUBLAS_STATUS_SUCCESS) return;
  throw DeviceError(fmt::format("{}: {}", name_of(call), cublasLtGetStatusName(result)),
                    result == CUBLAS_STATUS_EXECUTION_FAILED || result == CUBLAS_STATUS_INTERNAL_ERROR);
}

void check(ncclResult_t result, const char* call) {
  if (result == ncclSuccess) return;
  // Wrong arguments are refused before anything runs; after anything else communicators are in an unknown state.
  const bool refused = result == ncclInvalidArgument || result == ncclInvalidUsage;
  throw DeviceError(fmt::format("{}: {}", name_of(call), ncclGetErrorString(result)), !refused);
}

}  // namespace gridlock::calibrate::gpu

// Results of CUDA, cuBLASLt and NCCL calls as exceptions.
#pragma once

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <nccl.h>

namespace gridlock::calibrate::gpu {

// Throw DeviceError "NAME: what went wrong" unless the result is success; `call` is the call's text, of which the name is kept.
// The device counts as unusable after errors that spoil the CUDA context.
void check(cudaError_t result, const char* call);
void check(cublasStatus_t result, const char* call);
void check(ncclResult_t result, const char* call);

}  // namespace gridlock::calibrate::gpu

#define GRIDLOCK_CALL(call) ::gridlock::calibrate::gpu::check((call), #call)

// The parts of a plan for GPUs, one a kind of benchmark; what make_gpu_plan() puts together.
#pragma once

#include "calibrate/measure/gemm_shapes.hpp"
#include "calibrate/measure/gpu_plan.hpp"

namespace gridlock::calibrate {

constexpr double KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

// gemm: labels dtype; numbers m, n, k, batch.
Plan gemm_points(GpuPlan kind, const Description& machine);

// attention: labels dtype, part (scores: Q K^T, values: P V); numbers batch (sequences x heads), sequence, head_dim, and m, n, k.
// softmax: labels dtype; numbers rows, columns, bytes (read and written).
Plan attention_points(GpuPlan kind, const Description& machine);

// copy, scale, triad: numbers bytes (read and written). launch: labels graph. host_copy: labels direction (to_device, to_host),
// memory (pinned, pageable); numbers bytes.
Plan memory_points(GpuPlan kind, const Description& machine);

// peer_copy: numbers from, to, bytes. Collectives: labels dtype; numbers ranks, bytes (as nccl-tests counts). None on one GPU,
// except in the check, where one rank shows that the library works.
Plan fabric_points(GpuPlan kind, const Description& machine);

// overlap: labels kernel (gemm, attention, elementwise), mode (alone, with_all_reduce; on one GPU with_copy: a copy on 16 SMs in
// its place). sustained: labels dtype; numbers second (of an unbroken load), m, n, k.
Plan load_points(GpuPlan kind, const Description& machine);

// fault: labels kind (out_of_memory, invalid_call, nccl_usage, illegal_access, hang): each must fail, and the gemm after it work.
Plan fault_points();

void append(Plan& plan, Plan more);

}  // namespace gridlock::calibrate

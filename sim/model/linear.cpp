#include "sim/model/linear.hpp"

namespace gridlock::model {
namespace {

using collectives::Kind;

double activation_bytes(const BlockInput& in) {
  return 2.0 * static_cast<double>(in.rows()) * static_cast<double>(in.model.hidden);
}

bool overlaps(const BlockInput& in, const Linear& linear) {
  return in.tp_overlap && in.sequence_parallel && in.tensor > 1 && linear.user_buffers;
}

GemmShape forward_shape(const BlockInput& in, const Linear& linear) { return {.m = in.rows(), .n = linear.out, .k = linear.in}; }

GemmShape data_gradient_shape(const BlockInput& in, const Linear& linear) {
  return {.m = in.rows(), .n = linear.in, .k = linear.out};
}

// Fused, it reads and writes the gradient buffer; else it writes 16-bit values.
GemmShape weight_gradient_shape(const BlockInput& in, const Linear& linear) {
  GemmShape shape{.m = linear.in, .n = linear.out, .k = in.rows()};
  if (in.profile.fused_accumulation) shape.output_bytes = 2 * in.gradient_bytes;
  return shape;
}

// What a stack without the fusion adds: 16-bit values are read, the buffer read and written.
void accumulate(BlockBuilder& block, const Linear& linear) {
  const BlockInput& in = block.input();
  if (in.profile.fused_accumulation) return;
  block.stream(linear.label + ".accumulate",
               static_cast<double>(linear.in) * static_cast<double>(linear.out) * (2 + 2 * in.gradient_bytes));
}

constexpr int user_buffer_sms = 16;

// `chunks` GEMMs on the rows of one tensor rank each, one after the other.
void gemm_chunks(BlockBuilder& block, const std::string& label, GemmShape shape, int chunks, int taken) {
  shape.m /= block.input().tensor;
  KernelTime time = block.gemm_time(shape, taken);
  time.device_s *= chunks;
  time.flops *= chunks;
  time.bytes *= chunks;
  block.compute(label, time);
}

// All-gather of the input, then the GEMM on it.
void gathered_gemm(BlockBuilder& block, const std::string& label, const GemmShape& shape, bool overlap) {
  const BlockInput& in = block.input();
  const double bytes = activation_bytes(in);
  if (!overlap) {
    block.blocking(label + ".all_gather", Kind::all_gather, bytes);
    block.gemm(label, shape);
    return;
  }
  const int gathered = block.collective(label + ".all_gather", Kind::all_gather, bytes);
  gemm_chunks(block, label, shape, in.tensor - 1, 0);
  block.wait(gathered);
  gemm_chunks(block, label + ".last_chunk", shape, 1, 0);
}

void gemm_beside(BlockBuilder& block, const std::string& label, const GemmShape& shape, double collective_s, int taken) {
  const BlockInput& in = block.input();
  KernelTime time = block.gemm_time(shape);
  time.device_s = beside_collective(time.device_s, collective_s, taken, in.device.sms);
  block.compute(label, time);
}

}  // namespace

void column_forward(BlockBuilder& block, const Linear& linear) {
  const GemmShape shape = forward_shape(block.input(), linear);
  if (block.input().sequence_parallel) {
    gathered_gemm(block, linear.label, shape, overlaps(block.input(), linear));
  } else {
    block.gemm(linear.label, shape);
  }
}

void column_backward(BlockBuilder& block, const Linear& linear) {
  const BlockInput& in = block.input();
  const double bytes = activation_bytes(in);
  const Kind reduction = in.sequence_parallel ? Kind::reduce_scatter : Kind::all_reduce;
  const int taken = overlaps(in, linear) ? user_buffer_sms : in.profile.collective_sms;
  int gathered = no_op;
  double gather_s = 0;
  if (in.sequence_parallel) {
    gathered = block.collective(linear.label + ".all_gather", Kind::all_gather, bytes);
    gather_s = block.collective_s(Kind::all_gather, bytes);
  }
  gemm_beside(block, linear.label + ".dgrad", data_gradient_shape(in, linear), gather_s, taken);
  const int reduced =
      block.collective(linear.label + (in.sequence_parallel ? ".reduce_scatter" : ".all_reduce"), reduction, bytes);
  block.wait(gathered);
  if (in.profile.overlap_tensor_backward) {
    gemm_beside(block, linear.label + ".wgrad", weight_gradient_shape(in, linear), block.collective_s(reduction, bytes), taken);
    accumulate(block, linear);
    block.wait(reduced);
  } else {
    block.wait(reduced);
    block.gemm(linear.label + ".wgrad", weight_gradient_shape(in, linear));
    accumulate(block, linear);
  }
}

void row_forward(BlockBuilder& block, const Linear& linear) {
  const BlockInput& in = block.input();
  const GemmShape shape = forward_shape(in, linear);
  const double bytes = activation_bytes(in);
  if (overlaps(in, linear)) {
    const double chunk_bytes = bytes / in.tensor;
    gemm_chunks(block, linear.label + ".first_chunk", shape, 1, user_buffer_sms);
    const int reduced = block.collective(linear.label + ".reduce_scatter", Kind::reduce_scatter, bytes - chunk_bytes);
    gemm_chunks(block, linear.label, shape, in.tensor - 1, user_buffer_sms);
    block.wait(reduced);
    block.blocking(linear.label + ".last_reduce_scatter", Kind::reduce_scatter, chunk_bytes);
    return;
  }
  block.gemm(linear.label, shape);
  if (in.sequence_parallel) {
    block.blocking(linear.label + ".reduce_scatter", Kind::reduce_scatter, bytes);
  } else {
    block.blocking(linear.label + ".all_reduce", Kind::all_reduce, bytes);
  }
}

void row_backward(BlockBuilder& block, const Linear& linear) {
  const BlockInput& in = block.input();
  const GemmShape dgrad = data_gradient_shape(in, linear);
  if (in.sequence_parallel) {
    gathered_gemm(block, linear.label + ".dgrad", dgrad, overlaps(in, linear));
  } else {
    block.gemm(linear.label + ".dgrad", dgrad);
  }
  block.gemm(linear.label + ".wgrad", weight_gradient_shape(in, linear));
  accumulate(block, linear);
}

}  // namespace gridlock::model

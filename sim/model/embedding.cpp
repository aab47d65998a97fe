#include "sim/model/embedding.hpp"

#include "sim/model/block_builder.hpp"

namespace gridlock::model {

using collectives::Kind;

Block embedding_forward(const BlockInput& input) {
  BlockBuilder block("embedding.forward", input);
  const auto hidden = static_cast<double>(input.model.hidden);
  const double values = static_cast<double>(input.rows()) * hidden, sharded = input.sharded_rows() * hidden;
  block.stream("embedding.lookup", values * (2 + 2));
  block.stream("embedding.mask", values * 2 * (input.tensor - 1) / input.tensor);
  block.blocking(input.sequence_parallel ? "embedding.reduce_scatter" : "embedding.all_reduce",
                 input.sequence_parallel ? Kind::reduce_scatter : Kind::all_reduce, 2 * values);
  if (input.model.learned_positions) block.stream("embedding.positions", sharded * (2 + 2 + 2));
  if (input.model.dropout) block.stream("embedding.dropout", sharded * (2 + 2 + 1));
  return block.finish();
}

Block embedding_backward(const BlockInput& input) {
  BlockBuilder block("embedding.backward", input);
  const auto hidden = static_cast<double>(input.model.hidden);
  const double values = static_cast<double>(input.rows()) * hidden, sharded = input.sharded_rows() * hidden;
  if (input.model.dropout) block.stream("embedding.dropout.backward", sharded * (2 + 1 + 2));
  if (input.sequence_parallel) block.blocking("embedding.all_gather", Kind::all_gather, 2 * values);
  const double table = static_cast<double>(input.vocab_columns()) * hidden;
  block.stream("embedding.scatter", values * 2 + table * 2);
  block.stream("embedding.accumulate", table * (2 + 2 * input.gradient_bytes));
  return block.finish();
}

}  // namespace gridlock::model

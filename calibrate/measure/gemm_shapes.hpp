// Shapes of matrix products C[m x n] = A[m x k] B[k x n] to measure.
#pragma once

#include <cstdint>
#include <vector>

namespace gridlock::calibrate {

struct Shape {
  std::int64_t m = 0, n = 0, k = 0;
  bool operator==(const Shape&) const = default;
};

// The four products of a layer's forward pass for `tokens` tokens, hidden size h and feed-forward size f, split over t ranks:
// QKV (n = 3h/t, k = h), projection (n = h, k = h/t), MLP up (n = f/t, k = h), MLP down (n = h, k = f/t).
std::vector<Shape> layer_shapes(std::int64_t tokens, std::int64_t h, std::int64_t f, std::int64_t t);

// Layers of Llama-3 8B, Llama-2 13B and 70B and GPT-3 175B at their usual tensor-parallel sizes.
std::vector<Shape> transformer_shapes(const std::vector<std::int64_t>& tokens);

// Every m, n, k out of 1024, 4096, 16384; cubes between and below them; few rows, as in decoding.
std::vector<Shape> grid_shapes();

// Drawn once, by a fixed seed, between 256 and 16384 in multiples of 64; none is in the two lists above. For judging a fit by
// shapes that it has not seen.
std::vector<Shape> held_out_shapes();

}  // namespace gridlock::calibrate

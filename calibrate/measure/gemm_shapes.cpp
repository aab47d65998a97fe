#include "calibrate/measure/gemm_shapes.hpp"

#include <algorithm>
#include <random>

namespace gridlock::calibrate {

std::vector<Shape> layer_shapes(std::int64_t tokens, std::int64_t h, std::int64_t f, std::int64_t t) {
  return {{tokens, 3 * h / t, h}, {tokens, h, h / t}, {tokens, f / t, h}, {tokens, h, f / t}};
}

std::vector<Shape> transformer_shapes(const std::vector<std::int64_t>& tokens) {
  struct Layer {
    std::int64_t h, f, t;
  };
  const Layer layers[] = {{4096, 14336, 1}, {5120, 13824, 2}, {8192, 28672, 4}, {8192, 28672, 8}, {12288, 49152, 8}};
  std::vector<Shape> shapes;
  for (const Layer& layer : layers)
    for (const std::int64_t rows : tokens)
      for (const Shape& shape : layer_shapes(rows, layer.h, layer.f, layer.t)) shapes.push_back(shape);
  return shapes;
}

std::vector<Shape> grid_shapes() {
  std::vector<Shape> shapes;
  for (const std::int64_t m : {1024, 4096, 16384})
    for (const std::int64_t n : {1024, 4096, 16384})
      for (const std::int64_t k : {1024, 4096, 16384}) shapes.push_back({m, n, k});
  for (const std::int64_t edge : {256, 512, 2048, 3072, 6144, 8192}) shapes.push_back({edge, edge, edge});
  for (const std::int64_t rows : {16, 64, 256}) shapes.push_back({rows, 8192, 8192});
  return shapes;
}

std::vector<Shape> held_out_shapes() {
  std::vector<Shape> seen = grid_shapes();
  for (const Shape& shape : transformer_shapes({2048, 8192})) seen.push_back(shape);
  std::mt19937_64 random(20230711);
  // 256 * 2^(0 to 6), and then up to the double in steps of 64: about as many small edges as large ones.
  const auto edge = [&random] {
    const std::int64_t base = std::int64_t{256} << (random() % 6);
    return base + 64 * static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(base / 64));
  };
  std::vector<Shape> shapes;
  while (shapes.size() < 30) {
    const Shape shape{edge(), edge(), edge()};
    if (std::find(seen.begin(), seen.end(), shape) == seen.end()) shapes.push_back(shape);
  }
  return shapes;
}

}  // namespace gridlock::calibrate

// Keys of `scenario: matmul`.
#include <algorithm>

#include "sim/scenario/declarations.hpp"
#include "sim/scenario/matmul.hpp"

namespace gridlock::scenario {

void describe(Fields& f, Matmul& s) {
  int kind = 0;
  f.choice<int>({"scenario", "what to simulate"}, kind, std::nullopt, {{"matmul", 0}});
  f.map({"cluster", "the machine; one of its accelerators works"}, true,
        [&](Fields& inner) { describe(inner, s.machine.cluster); });
  f.reference({"profile", "how fast kernels really are"}, "profiles", [&](Fields& inner) { describe(inner, s.machine.profile); });
  const std::initializer_list<std::pair<std::string_view, std::string_view>> precisions = {
      {"bf16", "bf16"}, {"fp16", "fp16"}, {"fp8", "fp8"}, {"tf32", "tf32"}, {"fp32", "fp32"}};
  std::string_view precision = s.precision.empty() ? "bf16" : std::string_view(s.precision);
  f.choice<std::string_view>({"precision", "of the operands; the device needs a peak of it"}, precision, std::nullopt,
                             precisions);
  s.precision = std::string(precision);
  f.list<Product>({"products", "C[m x n] = A[m x k] B[k x n]"}, s.products, [](Fields& inner, Product& p) {
    inner.integer({"m", "rows of A and C"}, p.m, required, {1, 1e9});
    inner.integer({"n", "columns of B and C"}, p.n, required, {1, 1e9});
    inner.integer({"k", "columns of A, rows of B"}, p.k, required, {1, 1e9});
    inner.integer({"batch", "products in one call"}, p.batch, 1, {1, 1e9});
  });
  f.integer({"seed", "of every random choice"}, s.machine.seed, 1, {0, 9.2e18});
}

}  // namespace gridlock::scenario

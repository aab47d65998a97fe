// Operands that a benchmark walks through, so that each call finds them in memory and not in a cache.
#pragma once

#include <cstddef>
#include <vector>

namespace gridlock::calibrate {

// Blocks of `pool` one after the other: block(i) never overlaps block(i + 1) while two fit.
template <typename Number>
class Rotation {
 public:
  // REQUIRES elements <= pool.size().
  Rotation(std::vector<Number>& pool, std::size_t elements) : pool_(pool), elements_(elements), blocks_(pool.size() / elements) {}
  Number* block(int i) const { return pool_.data() + static_cast<std::size_t>(i) % blocks_ * elements_; }

 private:
  std::vector<Number>& pool_;
  std::size_t elements_, blocks_;
};

// Values spread over [-1, 1), the same every time; none is denormal, which some units multiply slowly.
template <typename Number>
void fill(std::vector<Number>& pool) {
  std::uint64_t state = 1;
  for (Number& value : pool) {
    state = state * 6364136223846793005U + 1442695040888963407U;  // Knuth's multiplier, MMIX
    value = static_cast<Number>(static_cast<double>(state >> 40) / static_cast<double>(1 << 23) - 1);
  }
}

}  // namespace gridlock::calibrate

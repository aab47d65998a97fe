// 128-bit colours. `mix` is ordered, `Bag` is not: the colour of a multiset is the sum of the mixed colours of its elements, so
// that signatures need no sorting.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>

namespace gridlock::fold {

struct Colour {
  std::uint64_t a = 0, b = 0;
  auto operator<=>(const Colour&) const = default;
};

// Steele and Vigna's finaliser of SplitMix64 (public domain constants).
constexpr std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

constexpr Colour mix(Colour seed, Colour value) {
  return {scramble(seed.a * 0x9e3779b97f4a7c15ULL + value.a + 0x632be59bd9b4e019ULL),
          scramble(seed.b * 0xd1342543de82ef95ULL + value.b + 0x9e6c63d0876a9a47ULL)};
}
constexpr Colour mix(Colour seed, std::uint64_t value) { return mix(seed, Colour{value, scramble(value)}); }
constexpr Colour mix(Colour seed, double value) { return mix(seed, std::bit_cast<std::uint64_t>(value)); }

class Bag {
 public:
  constexpr void add(Colour element) {
    const Colour mixed = mix(Colour{0x2545f4914f6cdd1dULL, 0x9e3779b97f4a7c15ULL}, element);
    sum_.a += mixed.a;
    sum_.b += mixed.b;
  }
  constexpr void add(const Bag& other) {
    sum_.a += other.sum_.a;
    sum_.b += other.sum_.b;
  }
  constexpr Colour colour() const { return sum_; }

 private:
  Colour sum_;
};

}  // namespace gridlock::fold

#include "calibrate/cpu/cpu_plan.hpp"

#include <algorithm>
#include <array>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>

#include "calibrate/cpu/gemm_benchmark.hpp"
#include "calibrate/cpu/mpi_benchmark.hpp"
#include "calibrate/measure/gemm_shapes.hpp"

namespace gridlock::calibrate {
namespace {

using Random = boost::random::mt19937_64;

constexpr double least = 16, most = 4096, most_flops = 8e9, least_flops = 2e5;

double flops(const Shape& s) { return 2.0 * static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k); }

bool fits(const Shape& s) {
  constexpr auto elements = static_cast<std::int64_t>(GemmBenchmark::pool_bytes / sizeof(double));
  return flops(s) >= least_flops && flops(s) <= most_flops && s.m * s.k <= elements && s.k * s.n <= elements &&
         s.m * s.n <= elements;
}

Shape drawn(Random& random) {
  boost::random::uniform_real_distribution<double> exponent(std::log(least), std::log(most));
  const auto edge = [&] { return static_cast<std::int64_t>(std::lround(std::exp(exponent(random)))); };
  const std::int64_t m = edge(), n = edge();
  return {m, n, edge()};
}

// One product of a layer of hidden size 256 to 2048, for 16 to 2048 tokens.
Shape of_layer(Random& random) {
  boost::random::uniform_int_distribution<std::int64_t> width(4, 32), which(0, 3);
  boost::random::uniform_real_distribution<double> exponent(std::log(16.0), std::log(2048.0));
  const std::int64_t h = 64 * width(random);
  const auto tokens = static_cast<std::int64_t>(std::lround(std::exp(exponent(random))));
  return layer_shapes(tokens, h, 4 * h, 1)[static_cast<std::size_t>(which(random))];
}

// Two of three anywhere, one of three of a layer.
std::vector<Shape> draw(Random& random, int count) {
  std::vector<Shape> shapes;
  while (shapes.size() < static_cast<std::size_t>(count)) {
    const Shape shape = shapes.size() % 3 == 2 ? of_layer(random) : drawn(random);
    if (fits(shape) && std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) shapes.push_back(shape);
  }
  return shapes;
}

void shuffle(std::vector<Shape>& shapes, Random& random) {
  for (std::size_t i = shapes.size(); i > 1; --i)
    std::swap(shapes[i - 1], shapes[boost::random::uniform_int_distribution<std::size_t>(0, i - 1)(random)]);
}

void add_products(Plan& out, std::vector<Shape> shapes, const CpuPlan& plan, Random& random) {
  for (int round = 0; round < plan.rounds; ++round) {
    shuffle(shapes, random);
    for (const Shape& s : shapes)
      out.push_back(planned(
          "gemm", {{"dtype", plan.dtype}},
          {{"m", static_cast<double>(s.m)}, {"n", static_cast<double>(s.n)}, {"k", static_cast<double>(s.k)}, {"batch", 1}},
          plan.seconds_per_point));
  }
}

}  // namespace

Plan cpu_plan(const CpuPlan& plan, const Description& machine) {
  Plan out{planned("timer", {}, {}, 0.01)};
  // Three arrays are held at a time, of which copy and scale use two: at most a quarter of what is free.
  for (const double mebibytes : {96.0, 192.0, 384.0})
    for (const char* kernel : {"copy", "scale", "triad"})
      if (const double bytes = mebibytes * 1048576; 1.5 * bytes < machine.memory_bytes / 4)
        out.push_back(planned(kernel, {}, {{"bytes", bytes}}, 1));
  if (std::find(machine.benchmarks.begin(), machine.benchmarks.end(), "all_reduce") != machine.benchmarks.end())
    for (const double bytes : MpiBenchmark::sizes())
      out.push_back(planned("all_reduce", {{"library", "mpi"}}, {{"bytes", bytes}}, 0.5));
  Random random(plan.seed);
  add_products(out, draw(random, plan.shapes), plan, random);
  return out;
}

Plan unseen_cpu_plan(const CpuPlan& plan, int shapes) {
  Random seen(plan.seed), random(plan.seed + 1);
  const std::vector<Shape> known = draw(seen, plan.shapes);
  std::vector<Shape> unseen;
  for (const Shape& shape : draw(random, shapes + plan.shapes))
    if (std::find(known.begin(), known.end(), shape) == known.end() && unseen.size() < static_cast<std::size_t>(shapes))
      unseen.push_back(shape);
  Plan out;
  add_products(out, unseen, plan, random);
  return out;
}

}  // namespace gridlock::calibrate

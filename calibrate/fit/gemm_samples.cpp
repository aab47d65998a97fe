#include "calibrate/fit/gemm_samples.hpp"

#include <fmt/format.h>

#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <charconv>
#include <cmath>

namespace gridlock::calibrate {
namespace {

constexpr const char* header = "m,n,k,tflops";

struct Position {
  const std::string& name;
  int line = 0;
};

[[noreturn]] void fail(const Position& at, const std::string& message) {
  throw SampleError(fmt::format("{}:{}: {}", at.name, at.line, message));
}

template <typename Number>
Number parse(const std::string& text, const Position& at) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value > 0)) {
    fail(at, fmt::format("expected a positive number, not \"{}\"", text));
  }
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) fail(at, fmt::format("expected a finite number, not \"{}\"", text));
  }
  return value;
}

GemmSample parse_row(const std::string& line, const Position& at) {
  std::vector<std::string> cells;
  boost::split(cells, line, [](char c) { return c == ','; });
  if (cells.size() != 4) fail(at, fmt::format("expected four columns ({}), got {}", header, cells.size()));
  for (std::string& cell : cells) boost::trim(cell);
  GemmSample sample{parse<std::int64_t>(cells[0], at), parse<std::int64_t>(cells[1], at), parse<std::int64_t>(cells[2], at), 0};
  const double flops = 2.0 * static_cast<double>(sample.m) * static_cast<double>(sample.n) * static_cast<double>(sample.k);
  sample.seconds = flops / (parse<double>(cells[3], at) * 1e12);
  return sample;
}

}  // namespace

std::vector<GemmSample> read_gemm_samples(std::istream& in, const std::string& name) {
  std::vector<GemmSample> samples;
  Position at{name};
  bool seen_header = false;
  for (std::string line; std::getline(in, line);) {
    ++at.line;
    boost::trim(line);
    if (line.empty() || line.front() == '#') continue;
    if (seen_header) {
      samples.push_back(parse_row(line, at));
    } else if (line == header) {
      seen_header = true;
    } else {
      fail(at, fmt::format("expected the header \"{}\"", header));
    }
  }
  if (samples.empty()) fail(at, "no measured shape in this file");
  return samples;
}

}  // namespace gridlock::calibrate

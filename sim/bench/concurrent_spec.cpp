#include "sim/bench/concurrent_spec.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

#include "sim/bench/names.hpp"
#include "topology/text.hpp"

namespace gridlock::bench {
namespace {

constexpr std::uint32_t longest_range = 1u << 20;

[[noreturn]] void fail(const std::string& spec, const std::string& what) {
  throw std::invalid_argument(fmt::format("--concurrent {}: {}", spec, what));
}

double number_of(const std::string& spec, const std::string& key, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) fail(spec, fmt::format("{} '{}' is not a number", key, text));
  return value;
}

void apply(Request& request, std::optional<double>& imbalance, const std::string& spec, const std::string& part) {
  static const std::vector<std::string> known{"ranks", "size", "algo", "proto", "channels", "imbalance", "two-level"};
  const std::size_t equals = part.find('=');
  const std::string key = part.substr(0, equals), value = equals == std::string::npos ? "" : part.substr(equals + 1);
  if (key == "two-level" && equals == std::string::npos) {
    request.two_level = true;
  } else if (value.empty() || key == "two-level" || std::ranges::find(known, key) == known.end()) {
    const auto near = topology::closest(key, known);
    fail(spec,
         fmt::format("'{}' is no option{}; known: ranks=0-7,16 size=64M algo=ring proto=simple channels=1 imbalance=2 two-level",
                     part, near && *near != key ? fmt::format(" (did you mean {}?)", *near) : ""));
  } else if (key == "ranks") {
    request.members = parse_ranks(value);
  } else if (key == "size") {
    request.sizes = {collectives::parse_size(value)};
  } else if (key == "algo") {
    request.forced.algorithm = parse_algorithm(value);
  } else if (key == "proto") {
    request.forced.protocol = parse_protocol(value);
  } else if (key == "channels") {
    const double channels = number_of(spec, key, value);
    if (!(channels >= 1 && channels <= 64) || channels != static_cast<int>(channels)) fail(spec, "channels are 1 to 64");
    request.channels = static_cast<int>(channels);
  } else {
    imbalance = number_of(spec, key, value);
  }
}

}  // namespace

std::vector<std::uint32_t> parse_ranks(const std::string& text) {
  std::vector<std::uint32_t> ranks;
  for (std::string_view rest = text; !text.empty();) {
    const std::string_view part = rest.substr(0, rest.find(','));
    std::uint32_t first = 0, last = 0;
    const char* end = part.data() + part.size();
    auto [at, error] = std::from_chars(part.data(), end, first);
    last = first;
    if (error == std::errc{} && at != end && *at == '-') {
      const auto second = std::from_chars(at + 1, end, last);
      at = second.ptr, error = second.ec;
    }
    if (error != std::errc{} || at != end || last < first || last - first > longest_range)
      throw std::invalid_argument(fmt::format("ranks {}: '{}' is not a rank or a range; write 0-7,16", text, part));
    for (std::uint32_t rank = first; rank <= last; ++rank) ranks.push_back(rank);
    if (part.size() == rest.size()) return ranks;
    rest.remove_prefix(part.size() + 1);
  }
  return ranks;
}

Request parse_concurrent(const std::string& spec, std::size_t all_ranks) {
  Request request;
  std::optional<double> imbalance;
  std::size_t at = spec.find(':');
  request.kind = parse_kind(spec.substr(0, at));
  while (at != std::string::npos) {
    const std::size_t next = spec.find(':', at + 1);
    apply(request, imbalance, spec, spec.substr(at + 1, next == std::string::npos ? next : next - at - 1));
    at = next;
  }
  if (imbalance)
    request.exchange =
        collectives::Exchange::imbalanced(request.members.empty() ? all_ranks : request.members.size(), *imbalance);
  return request;
}

}  // namespace gridlock::bench

#include "sim/bench/names.hpp"

#include <fmt/format.h>

#include <cctype>
#include <stdexcept>
#include <vector>

#include "topology/text.hpp"

namespace gridlock::bench {
namespace {

using collectives::Algorithm;
using collectives::Kind;
using collectives::Protocol;

constexpr Kind kinds[] = {Kind::all_reduce, Kind::reduce_scatter, Kind::all_gather, Kind::broadcast,
                          Kind::reduce,     Kind::all_to_all,     Kind::send_recv};
constexpr Algorithm algorithms[] = {Algorithm::ring, Algorithm::tree, Algorithm::nvls, Algorithm::nvls_tree, Algorithm::pat};
constexpr Protocol protocols[] = {Protocol::ll, Protocol::ll128, Protocol::simple};

// Letters and digits in lower case, without nccl-tests' ending.
std::string plain(std::string_view text) {
  if (text.ends_with("_perf")) text.remove_suffix(5);
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c))) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

template <class Value, std::size_t count>
Value parse(std::string_view text, const Value (&values)[count], std::string_view what) {
  std::vector<std::string> known, plain_known;
  for (const Value value : values) {
    if (plain(collectives::name(value)) == plain(text)) return value;
    known.emplace_back(collectives::name(value));
    plain_known.push_back(plain(collectives::name(value)));
  }
  const auto near = topology::closest(plain(text), plain_known);
  std::string hint = fmt::format("known: {}", fmt::join(known, ", "));
  for (std::size_t i = 0; near && i < known.size(); ++i) {
    if (plain_known[i] == *near) hint = fmt::format("did you mean {}?", known[i]);
  }
  throw std::invalid_argument(fmt::format("unknown {} '{}' ({})", what, text, hint));
}

}  // namespace

Kind parse_kind(std::string_view text) { return parse(text, kinds, "collective"); }
Algorithm parse_algorithm(std::string_view text) { return parse(text, algorithms, "algorithm"); }
Protocol parse_protocol(std::string_view text) { return parse(text, protocols, "protocol"); }

std::string nccl_tests_name(Kind kind) {
  if (kind == Kind::all_to_all) return "alltoall_perf";
  if (kind == Kind::send_recv) return "sendrecv_perf";
  std::string name(collectives::name(kind));
  for (char& c : name) c = c == '-' ? '_' : c;
  return name + "_perf";
}

bool reduces(Kind kind) { return kind == Kind::all_reduce || kind == Kind::reduce_scatter || kind == Kind::reduce; }
bool has_root(Kind kind) { return kind == Kind::broadcast || kind == Kind::reduce; }

}  // namespace gridlock::bench

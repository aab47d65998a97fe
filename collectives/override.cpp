#include "collectives/override.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <stdexcept>

#include "topology/text.hpp"

namespace gridlock::collectives {
namespace {

constexpr Kind kinds[] = {Kind::all_reduce, Kind::reduce_scatter, Kind::all_gather, Kind::broadcast, Kind::reduce,
                          Kind::all_to_all, Kind::send_recv,      Kind::gather,     Kind::scatter};
constexpr Algorithm algorithms[] = {Algorithm::ring, Algorithm::tree,           Algorithm::nvls,         Algorithm::nvls_tree,
                                    Algorithm::pat,  Algorithm::collnet_direct, Algorithm::collnet_chain};
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
    if (plain(name(value)) == plain(text)) return value;
    known.emplace_back(name(value));
    plain_known.push_back(plain(name(value)));
  }
  const auto near = topology::closest(plain(text), plain_known);
  std::string hint = fmt::format("known: {}", fmt::join(known, ", "));
  for (std::size_t i = 0; near && i < known.size(); ++i) {
    if (plain_known[i] == *near) hint = fmt::format("did you mean {}?", known[i]);
  }
  throw std::invalid_argument(fmt::format("unknown {} '{}' ({})", what, text, hint));
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class Value>
AllowList<Value> parse_list(std::string_view text, Value (*parse_value)(std::string_view)) {
  AllowList<Value> list;
  if (text.empty()) return list;
  for (std::string_view part : split(text, ';')) {
    typename AllowList<Value>::Rule rule;
    if (const std::size_t colon = part.find(':'); colon != std::string_view::npos) {
      rule.kind = parse_kind(part.substr(0, colon));
      part.remove_prefix(colon + 1);
    }
    if (part.starts_with('^')) {
      rule.excluded = true;
      part.remove_prefix(1);
    }
    for (const std::string_view word : split(part, ',')) rule.values.push_back(parse_value(word));
    for (const auto& other : list.rules)
      if (other.kind == rule.kind)
        throw std::invalid_argument(
            fmt::format("'{}' says twice what {} may use", text, rule.kind ? name(*rule.kind) : "every collective"));
    list.rules.push_back(std::move(rule));
  }
  return list;
}

}  // namespace

Kind parse_kind(std::string_view text) { return parse(text, kinds, "collective"); }
Algorithm parse_algorithm(std::string_view text) { return parse(text, algorithms, "algorithm"); }
Protocol parse_protocol(std::string_view text) { return parse(text, protocols, "protocol"); }

AllowList<Algorithm> parse_algorithms(std::string_view text) { return parse_list<Algorithm>(text, parse_algorithm); }
AllowList<Protocol> parse_protocols(std::string_view text) { return parse_list<Protocol>(text, parse_protocol); }

template <class Value>
const typename AllowList<Value>::Rule* AllowList<Value>::rule_for(Kind kind) const {
  const Rule* general = nullptr;
  for (const Rule& rule : rules) {
    if (rule.kind == kind) return &rule;
    if (!rule.kind) general = &rule;
  }
  return general;
}

template <class Value>
bool AllowList<Value>::allows(Kind kind, Value value) const {
  const Rule* rule = rule_for(kind);
  return !rule || (std::ranges::find(rule->values, value) != rule->values.end()) != rule->excluded;
}

template <class Value>
bool AllowList<Value>::names(Kind kind, Value value) const {
  const Rule* rule = rule_for(kind);
  return rule && !rule->excluded && allows(kind, value);
}

template class AllowList<Algorithm>;
template class AllowList<Protocol>;

bool Override::allows(Kind kind, Algorithm value) const {
  if (algorithm) return value == *algorithm;
  return is_point_to_point(kind) || algorithms.allows(kind, value);
}

bool Override::allows(Kind kind, Protocol value) const {
  if (protocol) return value == *protocol;
  return is_point_to_point(kind) || protocols.allows(kind, value);
}

bool Override::names(Kind kind, Protocol value) const { return protocol ? value == *protocol : protocols.names(kind, value); }

std::string Override::text() const {
  std::string wanted = algorithm ? std::string(name(*algorithm)) : "";
  if (protocol) wanted += fmt::format("{}{}", wanted.empty() ? "" : " with ", name(*protocol));
  return wanted.empty() ? "any of the algorithms and protocols allowed" : wanted;
}

}  // namespace gridlock::collectives

// What a collective is, in nccl-tests' terms.
#pragma once

#include <cstdint>
#include <string_view>

namespace gridlock::collectives {

enum class Kind : std::uint8_t {
  all_reduce,
  reduce_scatter,
  all_gather,
  broadcast,
  reduce,
  all_to_all,
  send_recv,
  gather,
  scatter
};
enum class Algorithm : std::uint8_t { ring, tree, nvls, nvls_tree, pat, point_to_point, collnet_direct, collnet_chain };
enum class Protocol : std::uint8_t { ll, ll128, simple };

std::string_view name(Kind kind);            // "all-reduce"
std::string_view name(Algorithm algorithm);  // "Ring"
std::string_view name(Protocol protocol);    // "Simple"

// Bytes as nccl-tests counts the size of a call: the whole array. all-gather and reduce-scatter: n times the per-rank part.
// So also gather (what the root receives) and scatter (what it sends); all-to-all: what each rank sends.
// busbw = bytes / time * bus_factor(kind, n)  (nccl-tests doc/PERFORMANCE.md): all-reduce 2(n-1)/n; reduce-scatter,
// all-gather, all-to-all, gather, scatter (n-1)/n; broadcast, reduce, send/recv 1.
double bus_factor(Kind kind, int ranks);

// all-to-all, send/recv, gather and scatter: sends and receives between pairs, no algorithm of NCCL's (collectives/p2p.hpp).
bool is_point_to_point(Kind kind);
// Kinds whose bytes are n equal parts, one a rank.
bool has_part_per_rank(Kind kind);
bool reduces(Kind kind);   // all-reduce, reduce-scatter, reduce
bool has_root(Kind kind);  // broadcast, reduce, gather, scatter

}  // namespace gridlock::collectives

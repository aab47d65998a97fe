// What a collective is, in nccl-tests' terms.
#pragma once

#include <cstdint>
#include <string_view>

namespace gridlock::collectives {

enum class Kind : std::uint8_t { all_reduce, reduce_scatter, all_gather, broadcast, reduce, all_to_all, send_recv };
enum class Algorithm : std::uint8_t { ring, tree, nvls, nvls_tree, pat, point_to_point };
enum class Protocol : std::uint8_t { ll, ll128, simple };

std::string_view name(Kind kind);            // "all-reduce"
std::string_view name(Algorithm algorithm);  // "Ring"
std::string_view name(Protocol protocol);    // "Simple"

// Bytes as nccl-tests counts the size of a call: the whole array. all-gather and reduce-scatter: n times the per-rank part.
// busbw = bytes / time * bus_factor(kind, n)  (nccl-tests doc/PERFORMANCE.md): all-reduce 2(n-1)/n; reduce-scatter,
// all-gather, all-to-all (n-1)/n; broadcast, reduce, send/recv 1.
double bus_factor(Kind kind, int ranks);

}  // namespace gridlock::collectives

// Inside of parse_nccl_log: what its two formats share.
#pragma once

#include <map>

#include "sim/bench/nccl_log.hpp"

namespace gridlock::bench {

class Collector {
 public:
  explicit Collector(NcclLog& log) : log_(log) {}

  // Keeps the faster time of each half of a size.
  void add(std::uint64_t bytes, std::optional<double> out_of_place_s, std::optional<double> in_place_s);
  // At most twenty are kept.
  void problem(std::string text);

 private:
  NcclLog& log_;
  std::map<std::uint64_t, std::size_t> index_;
};

// Seconds of finite microseconds above 0.
std::optional<double> seconds(std::optional<double> microseconds);
// A time that its bandwidth contradicts was cut or mixed with another line. Bandwidths below 1 GB/s are too coarse to tell; old
// all-gathers count (n-1)/n of the bytes, which is at least half.
bool contradicts(std::uint64_t bytes, double time_s, double algbw_gb_per_s);
// The kind of a line such as "# Collective test starting: all_reduce_perf" or "mpirun ... ./build/all_reduce_perf -b 8".
std::optional<collectives::Kind> kind_in(std::string_view line);

void parse_text_log(std::string_view text, NcclLog& log);
// Of a file cut short the complete results are used.
void parse_json_log(std::string_view text, NcclLog& log);

}  // namespace gridlock::bench

#include "sim/parallel/buckets.hpp"

#include <cmath>
#include <numeric>

namespace gridlock::parallel {

std::vector<Bucket> cut_buckets(std::span<const double> parts, double bucket_parameters) {
  std::vector<Bucket> buckets;
  const double total = std::accumulate(parts.begin(), parts.end(), 0.0);
  double seen = 0, cut = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    seen += parts[part];
    const bool last = part + 1 == parts.size();
    while (cut + bucket_parameters <= seen && cut + bucket_parameters < total) {
      buckets.push_back({bucket_parameters, static_cast<int>(part)});
      cut += bucket_parameters;
    }
    if (last && total > cut) buckets.push_back({total - cut, static_cast<int>(part)});
  }
  return buckets;
}

std::vector<std::size_t> buckets_needed(std::span<const double> parts, std::span<const Bucket> buckets) {
  std::vector<std::size_t> needed;
  std::size_t bucket = 0;
  double seen = 0, cut = buckets.empty() ? 0 : buckets[0].parameters;
  for (double part : parts) {
    seen += part;
    while (cut < seen && bucket + 1 < buckets.size()) cut += buckets[++bucket].parameters;
    needed.push_back(bucket);
  }
  return needed;
}

}  // namespace gridlock::parallel

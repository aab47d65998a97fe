// Gradient buckets of one model chunk (Megatron-LM's distributed_data_parallel: parameters in the order in which their gradients
// appear, cut into buckets of a given size).
//
// Worked example: 2 layers of 100 parameters, buckets of 60: cuts at 60, 120, 180, 200. After the first layer's backward pass one
// bucket is full (60), after the second the rest (60, 60, 20).
#pragma once

#include <span>
#include <vector>

namespace gridlock::parallel {

struct Bucket {
  double parameters = 0;
  int last_part = 0;  // index of the part (layer, embedding, head) whose parameters complete it
};

// `parts`: parameters of each part in order. The buckets' parameters add up to the sum of the parts.
std::vector<Bucket> cut_buckets(std::span<const double> parts, double bucket_parameters);

// By part: the bucket that holds the part's last parameter.
std::vector<std::size_t> buckets_needed(std::span<const double> parts, std::span<const Bucket> buckets);

}  // namespace gridlock::parallel

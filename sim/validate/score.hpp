// How far predictions are from measurements, so that no table counts more for having more rows.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gridlock::validate {

// Message sizes as the accuracy goals split them: below 1 MiB, from 1 MiB below 64 MiB, 64 MiB and more.
enum class Band { small, middle, large };
Band band_of(double bytes);
std::string_view name(Band band);

// The value below which at least `share` of the weight lies: the least one where the sum of the weights reaches share * total.
// An even number of equal weights at share 1/2: the mean of the two in the middle, as a median is. REQUIRES a value.
// Example: {1, 2, 3, 10} of weight 1 each: share 0.5 gives 2.5, share 0.9 gives 10.
double weighted_quantile(std::vector<std::pair<double, double>> value_and_weight, double share);

// What a prediction owes to the table it is held against.
enum class Basis {
  unseen,   // nothing
  fitted,   // constants of the profile were chosen with the table in view
  left_out  // a fitted table, with each of those constants taken from another environment or from NCCL's own tables
};
std::string_view name(Basis basis);

struct Scored {
  std::string table;
  Band band = Band::small;
  bool single_domain = true;
  Basis basis = Basis::unseen;
  double error = 0;  // predicted / measured - 1
};

struct Summary {
  bool single_domain = true;
  Basis basis = Basis::unseen;
  Band band = Band::small;
  std::size_t tables = 0, rows = 0;
  double median = 0, ninetieth = 0, bias = 0;  // of |error|, |error|, error
};

// Median of |error|, every table weighing the same. REQUIRES a row.
double median_error(const std::vector<Scored>& rows);

// One entry for each combination that occurs. Each row weighs 1 / (rows of its table in its band).
std::vector<Summary> summarize(const std::vector<Scored>& rows);

}  // namespace gridlock::validate

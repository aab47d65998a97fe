// Who sends how much to whom in a point-to-point collective: shares of the call's bytes (nccl-tests size) by sender and receiver.
//
//   all-to-all  1/n from everyone to everyone        gather   1/n from everyone to the root, member 0
//   send/recv   1 from each member to the next one   scatter  1/n from the root to everyone
//
// An uneven all-to-all scales a matrix w of weights: share(i, j) = w(i, j) * n / sum of w, so that the members send S on average.
// Worked example: w = {0 3; 1 0}: the sum is 4, shares are 1.5 and 0.5 of S. The diagonal stays at home.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "collectives/collective.hpp"

namespace gridlock::collectives {

class Exchange {
 public:
  // REQUIRES is_point_to_point(kind), at least two ranks.
  static Exchange even(Kind kind, std::size_t ranks);
  // All-to-all by n x n weights, senders in rows. Throws std::invalid_argument when they are not finite, negative, no square of
  // at least two rows, or nothing leaves its rank.
  static Exchange weighted(const std::vector<std::vector<double>>& weights);
  // All-to-all in which member 0 receives `factor` times the mean, as a popular expert does, and the others less. Throws
  // std::invalid_argument unless 1 <= factor <= ranks.
  static Exchange imbalanced(std::size_t ranks, double factor);

  std::size_t ranks() const { return ranks_; }
  double share(std::size_t from, std::size_t to) const;
  // Off the diagonal: of a pair, and of all that one rank sends.
  double largest_share() const;
  double largest_row() const;

  // Every pair that moves something, by sender, then by receiver.
  template <class Visit>  // (from, to, share)
  void for_each_pair(Visit visit) const {
    for (std::size_t from = 0; from < ranks_; ++from) {
      for (std::size_t to = 0; to < ranks_; ++to) {
        const double part = from == to ? 0 : share(from, to);
        if (part > 0) visit(from, to, part);
      }
    }
  }

 private:
  Exchange(Kind kind, std::size_t ranks) : kind_(kind), ranks_(ranks) {}

  Kind kind_;
  std::size_t ranks_;
  std::vector<double> shares_;  // row-major; empty = even
};

// Weights of a text of whitespace- or comma-separated numbers, a sender a line; # begins a comment, empty lines are skipped.
// Throws std::invalid_argument naming the line.
std::vector<std::vector<double>> parse_weights(const std::string& text);

}  // namespace gridlock::collectives

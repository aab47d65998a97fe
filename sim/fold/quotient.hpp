// The folded problem: one representative of each class, with the weights of the quotient.
//
// The representative of edge class i crosses link class c with weight = the sum over the class-i edges of their weights on one
// link of c (equal for all links of c, since the partition is equitable). Max-min rates of the quotient are those of the whole:
// if all members of each class have equal rates, the load of each link of c is sum_i W_ic r_i, so the same links fill up at the
// same rates.
#pragma once

#include "sim/engine/problem.hpp"
#include "sim/fold/partition.hpp"

namespace gridlock::fold {

engine::Problem quotient(const Objects& objects, const Partition& partition);

// Refines, checks the certificate and builds the quotient.
engine::Problem fold(const parallel::StepGraph& graph, const parallel::Traffic& traffic, const topology::Fabric& fabric);

}  // namespace gridlock::fold

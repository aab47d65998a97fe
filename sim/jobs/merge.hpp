// Several jobs as one step graph: their disjoint union. Ranks, programs, blocks, calls and messages of the second follow those of
// the first; nothing joins them but the links that their flows share.
//
// One step of the union is reported: the last step of job `reference`. The other jobs repeat their steps beside it for as long as
// they were built to; all of their tasks count as belonging to it, so that whatever they do meanwhile is recorded.
#pragma once

#include <string>
#include <vector>

#include "sim/parallel/step_graph.hpp"

namespace gridlock::jobs {

using parallel::Index;

struct Job {
  std::string name;  // put before the names of its programs: "A stage 3"
  parallel::StepGraph graph;
};

struct Union {
  parallel::StepGraph graph;
  std::vector<parallel::RankId> first_rank;               // by job
  std::vector<Index> job_of_program;                      // by program of the union
  std::vector<std::vector<std::uint8_t>> steps_of_tasks;  // by program and task: the job's own step
  Index job_of_rank(parallel::RankId rank) const { return job_of_program[graph.rank_program[rank]]; }
};

// GPUs of the jobs must differ: a logic_error else (find_shared_gpu tells a user).
Union merge(std::vector<Job> jobs, std::size_t reference);

}  // namespace gridlock::jobs

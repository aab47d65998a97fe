#include "sim/jobs/merge.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace gridlock::jobs {
namespace {

using parallel::none;
using parallel::StepGraph;
using parallel::Task;
using parallel::TaskKind;

Index moved(Index index, std::size_t by) { return index == none ? none : index + static_cast<Index>(by); }

template <class T>
void append(std::vector<T>& all, std::vector<T>& more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

class Merger {
 public:
  Merger(std::vector<Job>& jobs, std::size_t reference) : jobs_(jobs), reference_(reference) {}

  Union run() {
    StepGraph& all = union_.graph;
    all.steps = jobs_[reference_].graph.steps;
    for (const Job& job : jobs_) {
      all.communicator_slots = std::max(all.communicator_slots, job.graph.communicator_slots);
      all.message_slots = std::max(all.message_slots, job.graph.message_slots);
    }
    for (std::size_t j = 0; j < jobs_.size(); ++j) add(j);
    const std::set<topology::GpuId> gpus(all.rank_gpu.begin(), all.rank_gpu.end());
    if (gpus.size() != all.rank_gpu.size()) throw std::logic_error("two ranks of merged jobs are on one GPU");
    return std::move(union_);
  }

 private:
  void add(std::size_t j) {
    StepGraph& all = union_.graph;
    StepGraph& job = jobs_[j].graph;
    union_.first_rank.push_back(static_cast<parallel::RankId>(all.rank_program.size()));
    programs(j);
    for (std::vector<Index>& calls : job.block_calls)
      for (Index& call : calls) call = moved(call, all.calls.size());
    for (Index& program : job.rank_program) program += static_cast<Index>(all.programs.size());
    for (parallel::Communicator& c : job.communicators)
      for (parallel::RankId& member : c.members) member += union_.first_rank[j];
    for (parallel::Message& m : job.messages) m.from += union_.first_rank[j], m.to += union_.first_rank[j];
    slots(all.rank_communicator, all.communicator_slots, job.rank_communicator, job.communicator_slots, job.rank_program.size(),
          all.communicators.size());
    slots(all.rank_message_out, all.message_slots, job.rank_message_out, job.message_slots, job.rank_program.size(),
          all.messages.size());
    slots(all.rank_message_in, all.message_slots, job.rank_message_in, job.message_slots, job.rank_program.size(),
          all.messages.size());
    append(all.blocks, job.blocks);
    append(all.block_calls, job.block_calls);
    append(all.calls, job.calls);
    append(all.transfers, job.transfers);
    append(all.programs, job.programs);
    append(all.rank_program, job.rank_program);
    append(all.rank_gpu, job.rank_gpu);
    append(all.rank_speed, job.rank_speed);
    append(all.communicators, job.communicators);
    append(all.messages, job.messages);
  }

  // Before anything of the job is appended: its indices move by what is there already.
  void programs(std::size_t j) {
    const StepGraph& all = union_.graph;
    for (parallel::Program& program : jobs_[j].graph.programs) {
      program.name = jobs_[j].name + " " + program.name;
      std::vector<std::uint8_t>& steps = union_.steps_of_tasks.emplace_back();
      union_.job_of_program.push_back(static_cast<Index>(j));
      for (Task& task : program.tasks) {
        steps.push_back(task.step);
        if (j != reference_) task.step = static_cast<std::uint8_t>(all.steps - 1);
        switch (task.kind) {
          case TaskKind::block:
            task.what = moved(task.what, all.blocks.size());
            break;
          case TaskKind::collective:
            task.what = moved(task.what, all.calls.size());
            break;
          case TaskKind::send:
          case TaskKind::receive:
            task.what = moved(task.what, all.transfers.size());
            break;
        }
      }
    }
  }

  // Appends a table by rank and slot to one whose rows may be longer.
  static void slots(std::vector<Index>& all, std::size_t width, const std::vector<Index>& job, std::size_t job_width,
                    std::size_t ranks, std::size_t by) {
    for (std::size_t r = 0; r < ranks; ++r)
      for (std::size_t s = 0; s < width; ++s) all.push_back(s < job_width ? moved(job[r * job_width + s], by) : none);
  }

  std::vector<Job>& jobs_;
  std::size_t reference_;
  Union union_;
};

}  // namespace

Union merge(std::vector<Job> jobs, std::size_t reference) { return Merger(jobs, reference).run(); }

}  // namespace gridlock::jobs

// Workers on the ranks of an MPI job. Rank 0 hands out points; every rank, 0 too, simulates its points in child processes of its
// own (LocalPool), so that a crash costs a point and never the job. A rank that dies ends the job (mpirun's doing); the result
// file is whole, and --resume goes on.
#pragma once

#include <boost/mpi/communicator.hpp>

#include "sim/sweep/local_pool.hpp"

namespace gridlock::mpi {

// On rank 0. `jobs` points at once on each rank.
class MpiWorkers final : public sweep::Workers {
 public:
  MpiWorkers(const boost::mpi::communicator& world, std::size_t jobs, sweep::Work work);

  std::size_t slots() const override { return jobs_ * running_.size(); }
  std::size_t running() const override;
  void start(sweep::Task task) override;
  std::vector<sweep::Outcome> wait(int milliseconds) override;

 private:
  std::vector<sweep::Outcome> arrived();

  const boost::mpi::communicator& world_;
  std::size_t jobs_;
  sweep::LocalPool here_;
  std::vector<std::size_t> running_;  // by rank
};

// On every other rank: simulates what rank 0 sends until it says stop, or a signal does.
void serve(const boost::mpi::communicator& world, std::size_t jobs, const sweep::Work& work);

// On rank 0, at the very end, however it came.
void stop_others(const boost::mpi::communicator& world);

}  // namespace gridlock::mpi

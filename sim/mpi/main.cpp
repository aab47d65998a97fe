// mpirun -n 64 gridlock-mpi SCENARIO --vary PATH=A..B:N -o FILE: `gridlock sweep` over the ranks of an MPI job, with the same
// options and the same results. A program of its own, so that gridlock itself needs no MPI.

#include <boost/mpi/environment.hpp>
#include <cstdio>
#include <cstdlib>

#include "sim/cli/app.hpp"
#include "sim/cli/exit_codes.hpp"
#include "sim/cli/sweep_options.hpp"
#include "sim/mpi/mpi_workers.hpp"
#include "sim/sweep/interrupt.hpp"

namespace gridlock::mpi {
namespace {

int lead(const boost::mpi::communicator& world, const cli::SweepOptions& options) {
  const std::size_t jobs = options.jobs > 0 ? options.jobs : 1;
  const int exit_code = cli::guarded([&] {
    return cli::run_chosen(options, [&](sweep::Work work) -> std::unique_ptr<sweep::Workers> {
      return std::make_unique<MpiWorkers>(world, jobs, std::move(work));
    });
  });
  stop_others(world);
  return exit_code;
}

int follow(const boost::mpi::communicator& world, const cli::SweepOptions& options) {
  sweep::catch_interrupts();
  // Reads the scenario only with the first point: rank 0 says what is wrong with it.
  sweep::Work work;
  serve(world, options.jobs > 0 ? options.jobs : 1, [&](const sweep::Task& task) {
    if (!work) work = cli::sweep_work(options);
    return work(task);
  });
  return sweep::interrupted() ? cli::ExitCode::interrupted : cli::ExitCode::done;
}

int run(int argc, char** argv) {
  boost::mpi::environment environment(argc, argv);
  const boost::mpi::communicator world;
  CLI::App app{"gridlock sweep over the ranks of an MPI job: mpirun -n 64 gridlock-mpi SCENARIO --vary PATH=A..B:N -o FILE"};
  cli::SweepOptions options;
  cli::add_sweep_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (world.rank() > 0) return error.get_exit_code() == 0 ? 0 : cli::ExitCode::usage;
    return app.exit(error) == 0 ? 0 : cli::ExitCode::usage;
  }
  return world.rank() == 0 ? lead(world, options) : follow(world, options);
}

}  // namespace
}  // namespace gridlock::mpi

int main(int argc, char** argv) {
  const int exit_code = gridlock::mpi::run(argc, argv);
  std::fflush(nullptr);
  std::_Exit(exit_code);
}

// gridlock-measure-mpi: all-reduces of floats over the ranks that mpirun started, on one host over shared memory. Prints a line a
// size: bytes, then seconds, one a repeat. `gridlock calibrate --device cpu` runs it.
//
//   mpirun -n 4 gridlock-measure-mpi
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

constexpr double batch_s = 1e-3, size_s = 0.25;  // a repeat; all repeats of a size
constexpr int least_repeats = 7, most_repeats = 40;

// Of one all-reduce, the slowest rank's.
double seconds(std::vector<float>& send, std::vector<float>& receive, int count, int calls) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < calls; ++i) MPI_Allreduce(send.data(), receive.data(), count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  const double mine = (MPI_Wtime() - start) / calls;
  double slowest = 0;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  constexpr int most = 1 << 24;  // floats: 64 MiB
  std::vector<float> send(most, 1.0F), receive(most);
  for (int count = 2; count <= most; count *= 8) {
    const double first = std::max(seconds(send, receive, count, 3), 1e-7);
    // Every rank has the same times, and so does the same number of calls.
    const int calls = std::clamp(static_cast<int>(batch_s / first), 1, 10000);
    const int repeats = std::clamp(static_cast<int>(size_s / (first * calls)), least_repeats, most_repeats);
    if (rank == 0) std::printf("%d", count * static_cast<int>(sizeof(float)));
    for (int i = 0; i < repeats; ++i) {
      const double s = seconds(send, receive, count, calls);
      if (rank == 0) std::printf(" %.9g", s);
    }
    if (rank == 0) std::printf("\n");
  }
  MPI_Finalize();
  return 0;
}

// gridlock-measure-nccl: NCCL's collectives over the GPUs of several nodes, a rank a GPU, as mpirun starts them. The first rank
// writes a file of points, which `gridlock calibrate fit-collectives` takes.
//
//   mpirun -n 16 -N 8 gridlock-measure-nccl points.jsonl
//
// A point that takes more than a minute, as when a rank is lost, ends the whole run; what was measured is in the file.
// Exit codes: 0 done, 2 usage, 4 no GPU, too few, or no file; mpirun adds its own when a rank dies.
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "calibrate/gpu/collectives.hpp"
#include "calibrate/measure/device.hpp"

namespace {

using namespace gridlock::calibrate;

constexpr unsigned limit_s = 60;
constexpr double batch_s = 2e-3;
constexpr int repeats = 9;

struct Ranks {
  int all = 1, mine = 0;
  int nodes = 1, of_node = 0;  // my place in my node
};

Ranks ranks() {
  Ranks r;
  MPI_Comm_size(MPI_COMM_WORLD, &r.all);
  MPI_Comm_rank(MPI_COMM_WORLD, &r.mine);
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, r.mine, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &r.of_node);
  const int first = r.of_node == 0 ? 1 : 0;
  MPI_Allreduce(&first, &r.nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_free(&node);
  return r;
}

double largest(double mine) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

double smallest(double mine) { return -largest(-mine); }

gpu::Communicators::Member member(const Ranks& r) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) devices = 0;
  if (smallest(devices - r.of_node) < 1)
    throw DeviceMissing("a rank has no GPU of its own: no driver, or more ranks on a node than GPUs");
  gpu::Communicators::Member m{r.all, r.mine, r.of_node, {}};
  if (r.mine == 0) GRIDLOCK_CALL(ncclGetUniqueId(&m.id));
  MPI_Bcast(&m.id, sizeof m.id, MPI_BYTE, 0, MPI_COMM_WORLD);
  return m;
}

// Every rank measures; each repeat is the slowest rank's.
std::vector<double> measure(const gpu::Collective& collective) {
  const auto seconds = [&](int calls) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < calls; ++i) collective.enqueue();
    collective.wait();
    return largest((MPI_Wtime() - start) / calls);
  };
  seconds(3);  // connects
  const int calls = std::clamp(static_cast<int>(std::ceil(batch_s / std::max(seconds(3), 1e-7))), 1, 1000);
  std::vector<double> out;
  for (int i = 0; i < repeats; ++i) out.push_back(seconds(calls));
  return out;
}

void run(const Ranks& r, const std::string& path) {
  gpu::Communicators communicators(member(r));
  std::size_t free_bytes = 0, total_bytes = 0;
  GRIDLOCK_CALL(cudaMemGetInfo(&free_bytes, &total_bytes));
  const double most = std::min(0.35 * smallest(static_cast<double>(free_bytes)), 8.0 * (1 << 30));
  std::unique_ptr<PointWriter> file;
  if (r.mine == 0)
    file = std::make_unique<PointWriter>(
        path, Provenance{{"command", fmt::format("mpirun -n {} gridlock-measure-nccl {}", r.all, path)},
                         {"nodes", std::to_string(r.nodes)},
                         {"ranks", std::to_string(r.all)}});
  for (const char* name : {"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "sendrecv"})
    for (double bytes = std::max(8.0, 4.0 * r.all); bytes <= most; bytes *= 4) {
      ::alarm(limit_s);
      const gpu::Collective collective(name, communicators, bytes);
      Point point{name, {{"dtype", "fp32"}}, {{"bytes", collective.bytes()}, {"ranks", r.all}, {"nodes", r.nodes}}, {}, ""};
      point.seconds = measure(collective);
      if (file) file->append(point);
    }
  ::alarm(0);
}

int checked(const Ranks& r, int argc, char** argv) {
  const auto say = [&](const char* what) {
    if (r.mine == 0) fmt::print(stderr, "error: {}\n", what);
  };
  if (argc != 2 || r.all < 2 || r.all % r.nodes != 0) {
    say("usage: mpirun -n RANKS gridlock-measure-nccl FILE, with at least two ranks and as many on each node");
    return 2;
  }
  if (int there = ::access(argv[1], F_OK) == 0 && r.mine == 0 ? 1 : 0; largest(there) > 0) {
    say("the file exists: name another");
    return 2;
  }
  try {
    run(r, argv[1]);
    return 0;
  } catch (const DeviceMissing& error) {  // on every rank
    say(error.what());
    return 4;
  } catch (const std::runtime_error& error) {  // DeviceError, PointError: the other ranks wait for this one
    fmt::print(stderr, "error: rank {}: {}\n", r.mine, error.what());
    MPI_Abort(MPI_COMM_WORLD, 4);
  }
  return 4;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = checked(ranks(), argc, argv);
  MPI_Finalize();
  return status;
}

// One measured point, and files of points: what every benchmark gives, every importer makes and every fit takes.
//
// benchmark                    labels          numbers                seconds: one a repeat, of
// gemm                         dtype           m, n, k, batch         one product C[m x n] = A[m x k] B[k x n], `batch` of them
// copy, scale, triad           -               bytes                  one pass; bytes read and written together
// attention                    dtype, part     m, n, k, batch         one batched product: scores Q K^T, or values P V
// softmax                      dtype           rows, columns, bytes   one pass; bytes read and written together
// launch                       graph           -                      one empty kernel; graph: yes or no
// host_copy                    direction,      bytes                  one copy between host and device, waited for; to_device or
//                              memory                                 to_host, pinned or pageable
// peer_copy                    path            from, to, bytes        one copy between two devices
// all_reduce, all_gather, reduce_scatter, all_to_all, sendrecv
//                              -               bytes, ranks, nodes    one call; bytes as nccl-tests has; estimate_s: NCCL's own;
//                                              gpus_per_process       nodes, gpus_per_process: 1 where they are missing
// overlap                      kernel, mode    size                   one kernel, alone or beside something
// sustained                    dtype           m, n, k, second        one product, in that second of an unbroken load
// timer                        -               -                      reading the clock
// Any benchmark may add labels and numbers of its own (threads, layout, ...). Sizes in bytes, times in seconds.
//
// A file is JSON lines. The first holds the format and where the points come from, each other one a point:
//   {"schema":"gridlock.points/1","provenance":{"command":"gridlock calibrate --device cpu","device":"AMD EPYC", ...}}
//   {"benchmark":"gemm","labels":{"dtype":"fp32"},"numbers":{"batch":1,"k":64,"m":64,"n":64},"seconds":[1.2e-05,1.1e-05]}
//   {"benchmark":"gemm","labels":{"dtype":"fp8"},"numbers":{...},"error":"CUBLAS_STATUS_NOT_SUPPORTED"}
// A line is written whole and at once, so that a run that ends early leaves a file that can be read.
#pragma once

#include <fstream>
#include <istream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace gridlock::calibrate {

struct Point {
  std::string benchmark;
  std::map<std::string, std::string> labels;
  std::map<std::string, double> numbers;
  std::vector<double> seconds;  // one a repeat; empty when `error` says why
  std::string error;
};

// Facts by name: device, driver, library versions ("cuda", "nccl", "openblas"), date, command.
using Provenance = std::map<std::string, std::string>;

struct PointFile {
  Provenance provenance;
  std::vector<Point> points;
};

// A file that is no file of points ("NAME:LINE: ..."), or one that cannot be written.
struct PointError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws PointError at the first line that is not what this format says: other JSON, an unknown key, a number that is not
// finite, a time that is not positive, a point with neither times nor an error. `name` is the file's, for messages.
PointFile read_points(std::istream& in, const std::string& name);
PointFile read_points(const std::string& path);

// Lines of the format, without the newline. Throw std::logic_error on numbers that are not finite.
std::string header_line(const Provenance& provenance);
std::string point_line(const Point& point);

// Writes a file of points; every point is in the file when append() returns. Throws PointError.
class PointWriter {
 public:
  PointWriter(const std::string& path, const Provenance& provenance);
  void append(const Point& point);

 private:
  void write(const std::string& line);
  std::string path_;
  std::ofstream file_;
};

}  // namespace gridlock::calibrate

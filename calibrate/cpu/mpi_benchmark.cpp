#include "calibrate/cpu/mpi_benchmark.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>

#include "calibrate/measure/device.hpp"

namespace gridlock::calibrate {
namespace {

namespace fs = std::filesystem;

constexpr int limit_s = 25;  // of the whole run, which takes about 3

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

std::string shell_word(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

MpiBenchmark::MpiBenchmark(int ranks) : ranks_(ranks) {
  std::error_code error;
  program_ = (fs::read_symlink("/proc/self/exe", error).parent_path() / "gridlock-measure-mpi").string();
  if (ranks < 2) {
    missing_ = "one CPU cannot show an all-reduce";
  } else if (::access(program_.c_str(), X_OK) != 0) {
    missing_ = "all-reduces are not measured: this build has no gridlock-measure-mpi (needs Open MPI)";
  } else if (!on_path("mpirun")) {
    missing_ = "all-reduces are not measured: there is no mpirun";
  }
}

const std::vector<double>& MpiBenchmark::sizes() {
  static const std::vector<double> bytes = [] {
    std::vector<double> list;
    for (double size = 8; size <= 64 << 20; size *= 8) list.push_back(size);
    return list;
  }();
  return bytes;
}

void MpiBenchmark::run() {
  // More ranks than slots are allowed, as are containers in which everybody is root; the ranks stay where the system puts them.
  const std::string command =
      fmt::format("timeout --foreground {} mpirun --allow-run-as-root --oversubscribe --bind-to none -n {} {} 2>/dev/null",
                  limit_s, ranks_, shell_word(program_));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  if (!pipe) throw DeviceError("all_reduce: mpirun cannot be started");
  std::string text;
  char part[4096];
  for (std::size_t n = 0; (n = std::fread(part, 1, sizeof part, pipe.get())) > 0;) text.append(part, n);
  seconds_ = read_mpi_times(text);
}

Point MpiBenchmark::measure(const Point& planned) {
  if (!missing_.empty()) throw DeviceError(missing_);
  if (seconds_.empty()) run();
  Point point = planned;
  const auto found = seconds_.find(point.numbers.at("bytes"));
  if (found == seconds_.end()) throw DeviceError("all_reduce: mpirun ended before this size was measured");
  point.error.clear();
  point.seconds = found->second;
  point.numbers["ranks"] = ranks_;
  return point;
}

std::map<double, std::vector<double>> read_mpi_times(const std::string& text) {
  std::map<double, std::vector<double>> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    double bytes = 0, s = 0;
    std::vector<double> seconds;
    if (words >> bytes)
      while (words >> s) seconds.push_back(s);
    bool good = bytes > 0 && !seconds.empty() && words.eof();
    for (const double value : seconds) good = good && std::isfinite(value) && value > 0;
    if (!good) throw DeviceError("all_reduce: gridlock-measure-mpi says " + line);
    out[bytes] = seconds;
  }
  return out;
}

}  // namespace gridlock::calibrate

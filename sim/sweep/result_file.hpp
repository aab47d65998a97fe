// A file of JSON lines: the header, then one line a point in the order in which they ended. Each line is written at once and
// synced, so that a killed sweep loses nothing but the points in flight; a line cut short by a crash is dropped on resuming.
//
// Lines hold no times of the host: the same sweep writes the same lines, whatever the order.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/sweep/disk_sync.hpp"
#include "sim/sweep/grid.hpp"
#include "sim/sweep/result.hpp"

namespace gridlock::sweep {

// The file belongs to another sweep, or is damaged where a crash cannot have done it. Nothing of it was changed.
struct WrongFile : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ResultFile {
 public:
  enum class Mode : std::uint8_t {
    create,     // refuses a file that exists and is not empty
    resume,     // goes on with the file; starts it when there is none
    temporary,  // no name: gone with the process
    read,       // of a finished sweep
  };

  // `name` is not looked at for `temporary`, `header` not for `read`. Throws scenario::FileError (cannot be opened or written,
  // in use by another sweep, exists) and WrongFile.
  ResultFile(const std::string& name, Mode mode, const std::optional<Header>& header);
  ~ResultFile();
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  const Header& header() const { return header_; }
  const Grid& grid() const { return *grid_; }
  const std::string& name() const { return name_; }

  // Adds a point by its line (no newline) unless it is there; it is synced soon. Throws scenario::FileError when the disk is
  // full; the file then ends with the last whole line.
  void append(const std::string& line);

  // Returns when all lines are on the disk. Throws scenario::FileError when they cannot be.
  void sync();

  bool has(std::uint64_t index) const { return index < offsets_.size() && offsets_[index] != 0; }
  std::uint64_t grid_points() const { return grid_points_; }  // that are there
  std::uint64_t failed_points() const { return failed_points_; }
  double step_s(std::uint64_t index) const;  // NaN: failed, or not there
  Point read(std::uint64_t index) const;     // REQUIRES has(index)

  // Every line but the header, of the grid by index, then refining points by values.
  void visit_points(const std::function<void(const std::string&)>& visit) const;

  // Refining points, by their values.
  std::optional<Point> refined(const std::vector<std::string>& values) const;
  std::vector<Point> all_refined() const;

 private:
  void open(Mode mode);
  void lock() const;
  std::uint64_t read_lines();
  void check_header(const std::string& line);
  void add(const std::string& line, std::uint64_t offset);
  void write(const std::string& line);
  void check_sync(int error) const;
  std::string line_at(std::uint64_t offset) const;

  std::string name_;
  int file_ = -1;
  std::unique_ptr<DiskSync> sync_;  // none for a file that is gone with the process, or only read
  Header header_;
  std::optional<Grid> grid_;
  std::uint64_t end_ = 0;
  std::vector<std::uint64_t> offsets_;  // by grid index; 0: not there
  std::vector<double> steps_;           // by grid index
  std::map<std::vector<std::string>, std::uint64_t> refined_;
  std::uint64_t grid_points_ = 0, failed_points_ = 0;
};

}  // namespace gridlock::sweep

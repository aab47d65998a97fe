#include "sim/sweep/result_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "sim/scenario/diagnostic.hpp"
#include "sim/sweep/analyse.hpp"
#include "sim/sweep/header.hpp"

namespace gridlock::sweep {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void fail(const std::string& name, const char* what) {
  throw scenario::FileError(name, fmt::format("cannot {} {}: {}", what, name, std::strerror(errno)));
}

}  // namespace

ResultFile::ResultFile(const std::string& name, Mode mode, const std::optional<Header>& header)
    : name_(mode == Mode::temporary ? "the temporary result file" : name) {
  open(mode);
  if (mode == Mode::create || mode == Mode::resume) lock();
  struct stat status {};
  if (::fstat(file_, &status) != 0) fail(name_, "read");
  if (mode == Mode::create && status.st_size > 0)
    throw scenario::FileError(name_, fmt::format("{} is there already: add --resume to go on with it, or remove it", name_));
  if (header) header_ = *header, grid_.emplace(header_.axes);
  const std::uint64_t whole = read_lines();
  if (mode == Mode::read) return;
  if (whole < static_cast<std::uint64_t>(status.st_size) && ::ftruncate(file_, static_cast<off_t>(whole)) != 0)
    fail(name_, "write");
  end_ = whole;
  if (mode != Mode::temporary) sync_ = std::make_unique<DiskSync>(file_);
  if (end_ == 0) write(header_json(header_).dump());
}

ResultFile::~ResultFile() {
  sync_.reset();
  ::close(file_);
}

void ResultFile::open(Mode mode) {
  if (mode == Mode::temporary) {
    std::string pattern = (std::filesystem::temp_directory_path() / "gridlock-sweep-XXXXXX").string();
    file_ = ::mkstemp(pattern.data());
    if (file_ < 0) fail(pattern, "write");
    ::unlink(pattern.c_str());
    return;
  }
  file_ = mode == Mode::read ? ::open(name_.c_str(), O_RDONLY | O_CLOEXEC)
                             : ::open(name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) fail(name_, mode == Mode::read ? "read" : "write");
}

// Held by the process, not by the children that inherit the file, and gone when it dies.
void ResultFile::lock() const {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (::fcntl(file_, F_SETLK, &whole) == 0) return;
  if (errno == EACCES || errno == EAGAIN)
    throw scenario::FileError(name_, fmt::format("another sweep is writing {}", name_));  // others: a device, or no locks here
}

// Reads what is there; returns where the last whole line ends.
std::uint64_t ResultFile::read_lines() {
  std::array<char, 1 << 16> buffer;
  std::string line;
  std::uint64_t begin = 0, number = 0;
  for (std::uint64_t at = 0;;) {
    const ssize_t got = ::pread(file_, buffer.data(), buffer.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(name_, "read");
    if (got == 0) break;
    struct stat status {};
    if (at == 0 && ::fstat(file_, &status) == 0 && !S_ISREG(status.st_mode)) break;  // a device has no points to read
    for (ssize_t i = 0; i < got; ++i) {
      if (buffer[static_cast<std::size_t>(i)] != '\n') {
        line += buffer[static_cast<std::size_t>(i)];
        continue;
      }
      ++number;
      try {
        if (number == 1)
          check_header(line);
        else
          add(line, begin);
      } catch (const nlohmann::json::exception&) {
        throw WrongFile(fmt::format("{}, line {}: this is no line of a sweep's result", name_, number));
      }
      begin = at + static_cast<std::uint64_t>(i) + 1;
      line.clear();
    }
    at += static_cast<std::uint64_t>(got);
  }
  // What a crash can leave of the header is its beginning; anything else is somebody's file.
  if (number == 0 && !line.empty() && !header_json(header_).dump().starts_with(line))
    throw WrongFile(fmt::format("{} is no result of a sweep", name_));
  return begin;
}

void ResultFile::check_header(const std::string& line) {
  const auto json = nlohmann::ordered_json::parse(line);
  if (!grid_) {
    header_ = header_of_json(json);
    grid_.emplace(header_.axes);
    return;
  }
  const std::string difference = header_difference(json, header_json(header_));
  if (!difference.empty())
    throw WrongFile(
        fmt::format("{} belongs to another sweep: {}. Write to another file, or repeat the sweep as it was", name_, difference));
}

void ResultFile::add(const std::string& line, std::uint64_t offset) {
  const Point point = point_of_json(nlohmann::ordered_json::parse(line));
  if (point.refined()) {
    refined_.emplace(point.values, offset);
    return;
  }
  const auto index = static_cast<std::uint64_t>(point.index);
  if (index >= grid_->size()) throw WrongFile(fmt::format("{} has a point {} of a grid of {}", name_, index, grid_->size()));
  if (offsets_.size() <= index) offsets_.resize(index + 1, 0), steps_.resize(index + 1, nan);
  if (offsets_[index] == 0) ++grid_points_, failed_points_ += point.failed();
  offsets_[index] = offset;
  steps_[index] = point.failed() ? nan : point.step_s;
}

void ResultFile::append(const std::string& line) {
  const std::uint64_t offset = end_;
  write(line);
  add(line, offset);
}

void ResultFile::write(const std::string& line) {
  const std::string text = line + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::pwrite(file_, text.data() + done, text.size() - done, static_cast<off_t>(end_ + done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int error = errno;
      if (::ftruncate(file_, static_cast<off_t>(end_)) != 0) errno = error;  // resuming drops the part of a line, too
      errno = error;
      fail(name_, "write");
    }
    done += static_cast<std::size_t>(written);
  }
  end_ += text.size();
  if (sync_) check_sync(sync_->request());
}

void ResultFile::sync() {
  if (sync_) check_sync(sync_->wait());
}

void ResultFile::check_sync(int error) const {
  if (error == 0) return;
  errno = error;
  fail(name_, "write");
}

double ResultFile::step_s(std::uint64_t index) const { return has(index) ? steps_[index] : nan; }

Point ResultFile::read(std::uint64_t index) const {
  return point_of_json(nlohmann::ordered_json::parse(line_at(offsets_.at(index))));
}

std::optional<Point> ResultFile::refined(const std::vector<std::string>& values) const {
  const auto found = refined_.find(values);
  if (found == refined_.end()) return std::nullopt;
  return point_of_json(nlohmann::ordered_json::parse(line_at(found->second)));
}

std::vector<Point> ResultFile::all_refined() const {
  std::vector<Point> points;
  for (const auto& [values, offset] : refined_) points.push_back(point_of_json(nlohmann::ordered_json::parse(line_at(offset))));
  return points;
}

void ResultFile::visit_points(const std::function<void(const std::string&)>& visit) const {
  for (const std::uint64_t offset : offsets_)
    if (offset != 0) visit(line_at(offset));
  for (const auto& [values, offset] : refined_) visit(line_at(offset));
}

std::string ResultFile::line_at(std::uint64_t offset) const {
  std::string line;
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t got = ::pread(file_, buffer.data(), buffer.size(), static_cast<off_t>(offset + line.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail(name_, "read");
    const std::string_view chunk(buffer.data(), static_cast<std::size_t>(got));
    const std::size_t end = chunk.find('\n');
    line += chunk.substr(0, end);
    if (end != std::string_view::npos) return line;
  }
}

}  // namespace gridlock::sweep

#include "calibrate/measure/point_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace gridlock::calibrate {

PointLog::PointLog(const std::string& path, const Provenance& provenance) : path_(path) {
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0 && errno == EEXIST)
    throw PointError(fmt::format("{} exists: measured points are not overwritten; remove it or name another file", path));
  if (file_ < 0) throw PointError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  write(header_line(provenance));
}

PointLog::~PointLog() {
  if (file_ >= 0) ::close(file_);
}

void PointLog::append(const Point& point) { write(point_line(point)); }

void PointLog::write(std::string line) {
  line += '\n';
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t n = ::write(file_, line.data() + done, line.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw PointError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
    done += static_cast<std::size_t>(n);
  }
  if (::fsync(file_) != 0 && errno != EINVAL && errno != EROFS)  // EINVAL: a pipe or /dev/stdout
    throw PointError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
}

}  // namespace gridlock::calibrate

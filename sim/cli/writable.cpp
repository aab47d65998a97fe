#include "sim/cli/writable.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sim/scenario/diagnostic.hpp"

namespace gridlock::cli {

void require_writable(const std::string& file) {
  if (file.empty()) return;
  const bool is_new = ::access(file.c_str(), F_OK) != 0;
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (opened < 0 && errno == ENXIO) return;  // a pipe that nobody reads yet
  if (opened < 0) throw scenario::FileError(file, fmt::format("cannot write {}: {}", file, std::strerror(errno)));
  ::close(opened);
  if (is_new) ::unlink(file.c_str());
}

}  // namespace gridlock::cli

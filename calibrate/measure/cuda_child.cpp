#include "calibrate/measure/cuda_child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace gridlock::calibrate {
namespace {

// dup2() leaves a descriptor that already has the number as it is, closing at exec.
int become(const std::string& program, int socket) {
  if (socket == serve_socket) {
    ::fcntl(socket, F_SETFD, 0);
  } else {
    ::dup2(socket, serve_socket);
  }
  ::execl(program.c_str(), program.c_str(), "--serve", nullptr);
  throw std::system_error(errno, std::generic_category(), "cannot run " + program);
}

}  // namespace

Child cuda_child() {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string program = self.parent_path() / "gridlock-measure-cuda";
  if (::access(program.c_str(), X_OK) != 0)
    throw DeviceMissing(fmt::format(
        "this build cannot measure GPUs: it was made without the CUDA Toolkit or NCCL, so {} does not exist", program));
  return [program](int socket) { return become(program, socket); };
}

}  // namespace gridlock::calibrate

#include "sim/sweep/disk_sync.hpp"

#include <unistd.h>

#include <cerrno>

namespace gridlock::sweep {

DiskSync::DiskSync(int file) : file_(file), thread_([this] { run(); }) {}

DiskSync::~DiskSync() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

int DiskSync::request() {
  const std::lock_guard lock(mutex_);
  ++requested_;
  changed_.notify_all();
  return error_;
}

int DiskSync::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_ == requested_; });
  return error_;
}

void DiskSync::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ends_ || done_ < requested_; });
    if (done_ == requested_) return;
    const std::uint64_t covered = requested_;
    lock.unlock();
    const bool failed = ::fdatasync(file_) != 0;
    const int error = errno;
    lock.lock();
    // A device or pipe cannot be synced and need not be.
    if (failed && error != EINVAL && error != EROFS && error_ == 0) error_ = error;
    done_ = covered;
    changed_.notify_all();
  }
}

}  // namespace gridlock::sweep

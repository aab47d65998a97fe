// Makes the disk keep what was written to a file, in a thread of its own: a sync takes milliseconds, in which whoever writes
// could have started the next simulation. Writes that come during a sync share the next one.
//
// A process that is killed loses nothing of what it has written, synced or not; the sync is for machines that lose power.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace gridlock::sweep {

class DiskSync {
 public:
  explicit DiskSync(int file);  // an open file descriptor, which must outlive this
  ~DiskSync();                  // after what was asked for is on the disk
  DiskSync(const DiskSync&) = delete;
  DiskSync& operator=(const DiskSync&) = delete;

  // Everything written so far will be synced. The errno of the first sync that failed, 0 if none has.
  int request();

  // Returns when it is on the disk, or cannot be; the same errno.
  int wait();

 private:
  void run();

  const int file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t requested_ = 0, done_ = 0;
  bool ends_ = false;
  int error_ = 0;
  std::thread thread_;
};

}  // namespace gridlock::sweep

// Workers in child processes of this one: each task in a fork of its own, so that SimGrid's one engine a process, a crash or a
// leak of one point is no concern of the others. A child that is killed or crashes is tried once more; then its point has failed.
#pragma once

#include <memory>
#include <optional>

#include "sim/sweep/workers.hpp"

namespace gridlock::sweep {

class LocalPool final : public Workers {
 public:
  LocalPool(std::size_t jobs, Work work);  // REQUIRES jobs > 0
  ~LocalPool() override;                   // kills what still runs

  std::size_t slots() const override { return jobs_; }
  std::size_t running() const override { return children_.size(); }
  void start(Task task) override;  // throws std::system_error when no process can be started
  std::vector<Outcome> wait(int milliseconds) override;

 private:
  struct Child;
  void launch(Task task, int attempt);
  bool drain(Child& child);
  std::optional<Outcome> reap(Child& child);

  std::size_t jobs_;
  Work work_;
  std::vector<std::unique_ptr<Child>> children_;
};

}  // namespace gridlock::sweep

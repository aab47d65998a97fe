#include "sim/engine/simgrid_backend.hpp"

#include <csignal>
#include <simgrid/kernel/Timer.hpp>
#include <stdexcept>

#include "sim/engine/simgrid_compat.hpp"

namespace gridlock::engine {
namespace {

namespace sg = simgrid::s4u;

constexpr double host_speed = 1e12;  // work units per second of a GPU at full speed: far above SimGrid's work precision

}  // namespace

SimGridBackend::SimGridBackend(const Problem& problem) {
  if (sg::Engine::is_initialized()) throw std::logic_error("one simulation a process: SimGrid's engine exists already");
  static char name[] = "gridlock", quiet[] = "--log=root.thres:error";
  static char* arguments[] = {name, quiet, nullptr};
  int count = 2;
  const auto on_interrupt = std::signal(SIGINT, SIG_DFL);
  engine_ = std::make_unique<sg::Engine>(&count, arguments);
  std::signal(SIGINT, on_interrupt);  // SimGrid's own handler tears the engine down in the middle of its work, and crashes
  for (const char* setting : {"network/model:CM02", "network/crosstraffic:no", "network/TCP-gamma:1e20", "surf/precision:1e-12",
                              "maxmin/precision:1e-9"})
    sg::Engine::set_config(setting);
  zone_ = new RouteTableZone("cluster");
  for (std::size_t r = 0; r < problem.ranks.size(); ++r) {
    sg::Host* host = zone_->create_host("r" + std::to_string(r), {host_speed * problem.ranks[r].speed});
    host->seal();
    ranks_.push_back(host);
  }
  compat::on_completion([this](const sg::Activity& activity) {
    if (const auto* slot = activity.get_data<Token>()) finished(*slot);
  });
}

double SimGridBackend::now() const { return sg::Engine::get_clock(); }

void SimGridBackend::start_compute(Token token, Index rank, double seconds) {
  sg::Host* host = ranks_[rank];
  const sg::ExecPtr exec = sg::Exec::init()->set_flops_amount(seconds * host->get_speed())->set_host(host);
  hold(token, exec);
  compat::start(*exec);
}

void SimGridBackend::start_delay(Token token, double seconds) {
  simgrid::kernel::timer::Timer::set(now() + seconds, [this, token] { done(token); });
}

void SimGridBackend::run(std::function<void(Token)> done) {
  done_ = std::move(done);
  engine_->run();
}

void SimGridBackend::hold(Token token, const sg::ActivityPtr& activity) {
  if (held_.size() <= token) held_.resize(token + 1), tokens_.resize(token + 1);
  if (!tokens_[token]) tokens_[token] = std::make_unique<Token>(token);
  activity->set_data(tokens_[token].get());
  held_[token] = activity;
}

void SimGridBackend::finished(Token token) {
  ended_ = std::move(held_[token]);
  held_[token] = nullptr;
  done(token);
}

}  // namespace gridlock::engine

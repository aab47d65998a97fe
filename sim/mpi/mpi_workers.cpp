#include "sim/mpi/mpi_workers.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/serialization/string.hpp>
#include <chrono>
#include <numeric>

#include "sim/sweep/interrupt.hpp"

namespace gridlock::mpi {
namespace {

namespace bmpi = boost::mpi;
using Json = nlohmann::ordered_json;

enum Tag : int { task_tag, outcome_tag, stop_tag };

constexpr int patience_ms = 1;  // between looks at messages and children: far below the time of a point

std::string packed(const sweep::Task& task) {
  return Json{{"place", sweep::point_json(task.place)},
              {"overrides", task.overrides},
              {"cables", task.scaled_cables},
              {"scale", task.scale}}
      .dump();
}

sweep::Task unpacked(const std::string& text) {
  const Json json = Json::parse(text);
  return {sweep::point_of_json(json.at("place")), json.at("overrides"), json.at("cables"), json.at("scale")};
}

std::string packed(const sweep::Outcome& outcome) { return Json{{"task", packed(outcome.task)}, {"line", outcome.line}}.dump(); }

}  // namespace

MpiWorkers::MpiWorkers(const bmpi::communicator& world, std::size_t jobs, sweep::Work work)
    : world_(world), jobs_(jobs), here_(jobs, std::move(work)), running_(static_cast<std::size_t>(world.size()), 0) {}

std::size_t MpiWorkers::running() const { return std::accumulate(running_.begin(), running_.end(), std::size_t{0}); }

// To the rank with the fewest points, the last of equals: rank 0 has the hand-out besides.
void MpiWorkers::start(sweep::Task task) {
  const auto idlest = std::min_element(running_.rbegin(), running_.rend());
  const int rank = static_cast<int>(running_.rend() - idlest) - 1;
  ++*idlest;
  if (rank == 0)
    here_.start(std::move(task));
  else
    world_.send(rank, task_tag, packed(task));
}

std::vector<sweep::Outcome> MpiWorkers::arrived() {
  std::vector<sweep::Outcome> outcomes;
  while (const auto status = world_.iprobe(bmpi::any_source, outcome_tag)) {
    std::string text;
    world_.recv(status->source(), outcome_tag, text);
    const Json json = Json::parse(text);
    outcomes.push_back({unpacked(json.at("task")), json.at("line")});
    --running_[static_cast<std::size_t>(status->source())];
  }
  return outcomes;
}

std::vector<sweep::Outcome> MpiWorkers::wait(int milliseconds) {
  using namespace std::chrono;
  const auto end = steady_clock::now() + std::chrono::milliseconds(milliseconds);
  for (;;) {
    std::vector<sweep::Outcome> outcomes = here_.wait(patience_ms);  // without children just a pause
    running_[0] -= outcomes.size();
    for (sweep::Outcome& outcome : arrived()) outcomes.push_back(std::move(outcome));
    if (!outcomes.empty() || sweep::interrupted() || steady_clock::now() >= end) return outcomes;
  }
}

void serve(const bmpi::communicator& world, std::size_t jobs, const sweep::Work& work) {
  sweep::LocalPool here(jobs, work);
  while (!sweep::interrupted()) {
    if (world.iprobe(0, stop_tag)) {
      world.recv(0, stop_tag);
      return;
    }
    while (here.running() < jobs && world.iprobe(0, task_tag)) {
      std::string text;
      world.recv(0, task_tag, text);
      here.start(unpacked(text));
    }
    for (const sweep::Outcome& outcome : here.wait(patience_ms)) world.send(0, outcome_tag, packed(outcome));
  }
}

void stop_others(const bmpi::communicator& world) {
  for (int rank = 1; rank < world.size(); ++rank) world.send(rank, stop_tag);
}

}  // namespace gridlock::mpi

// A collective laid on a machine: its communicators, level by level, and how its calls run on them. What simulation and closed
// form have in common.
#pragma once

#include <functional>
#include <span>

#include "collectives/pattern.hpp"
#include "sim/bench/benchmark.hpp"
#include "sim/bench/levels.hpp"
#include "topology/router.hpp"

namespace gridlock::bench {

struct Machine {
  topology::Fabric fabric;
  topology::Router router;
  std::vector<topology::GpuId> placed;  // GPU of every rank
  collectives::TuningParameters tuning;
  collectives::Override allowed;  // by the scenario

  explicit Machine(const scenario::Scenario& scenario);
  Machine(const Machine&) = delete;  // the router refers to the fabric
};

// A communicator of a job.
struct Group {
  std::vector<topology::GpuId> gpus;
  collectives::CommunicatorShape shape;
};

class Job {
 public:
  // Keeps a reference to the machine. Throws as simulate().
  Job(const Machine& machine, const Request& request);

  const Request& request() const { return request_; }
  const collectives::CommunicatorShape& shape() const { return shape_; }  // of all ranks
  const std::vector<topology::GpuId>& gpus() const { return gpus_; }
  // Communicators that run the calls of a level, all alike.
  const std::vector<Group>& groups(Level level) const;
  std::vector<Level> levels() const;
  std::vector<LevelCall> calls(const Row& row) const;

  // Sizes rounded and tuned, times still 0.
  std::vector<Row> plan() const;
  Row plan(std::uint64_t size) const;
  std::vector<collectives::Choice> candidates(const Group& group, const LevelCall& call) const;
  // Time of a call as it is measured: at least what its launches take.
  double measured_s(double call_s) const;
  // The edges of an algorithm on one communicator, for calls of `kind`.
  using EdgeVisitor = std::function<void(std::span<const collectives::WeightedLink> links, double share)>;
  void for_each_edge(const Group& group, collectives::Kind kind, collectives::Algorithm algorithm,
                     const EdgeVisitor& visit) const;
  // Bytes that the shares of the edges refer to, protocol overhead included.
  double wire_bytes(const Group& group, const LevelCall& call, const collectives::Choice& choice) const;

 private:
  const Machine& machine_;
  Request request_;
  std::vector<topology::GpuId> gpus_;
  collectives::TuningParameters tuning_;
  collectives::CommunicatorShape shape_;
  std::vector<Group> whole_, inside_, across_;
};

}  // namespace gridlock::bench

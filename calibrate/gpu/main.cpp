// gridlock-measure-cuda: measures the GPUs of this machine into a file of points (calibrate/point.hpp). A program of its own, so
// that it can be built where SimGrid is not, and so that gridlock loads no CUDA. `gridlock calibrate --device cuda` runs it with
// --serve.

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <getopt.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "calibrate/gpu/cuda_device.hpp"
#include "calibrate/measure/cuda_child.hpp"
#include "calibrate/measure/gpu_plan.hpp"
#include "calibrate/measure/runner.hpp"
#include "calibrate/measure/serve.hpp"

namespace {

using namespace gridlock::calibrate;

enum Exit : int { done = 0, usage = 2, device = 4, interrupted = 130 };

constexpr const char* help =
    "usage: gridlock-measure-cuda [options]\n"
    "  --plan NAME     full (default), quick, held-out or check\n"
    "  --only A,B      these benchmarks of the plan alone\n"
    "  -o FILE         where the points go (default points.jsonl); an existing file is refused\n"
    "  --budget S      skip what is left after S seconds\n"
    "  --limit S       a point may take S seconds and 20 times its estimate (default 30)\n"
    "  --list          print the plan, measure nothing\n"
    "  --help\n"
    "Exit codes: 0 done, 2 usage, 4 no device or no file, 130 interrupted (what was measured is in the file).\n";

struct Options {
  GpuPlan plan = GpuPlan::full;
  std::vector<std::string> only;
  std::string path = "points.jsonl";
  RunLimits limits;
  bool list = false, serve = false, help = false;
};

double seconds_of(const std::string& text) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::logic_error&) {
    used = 0;
  }
  if (used == 0 || used != text.size() || !(value > 0))
    throw std::invalid_argument("a number of seconds above 0, not '" + text + "'");
  return value;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

Options parse(int argc, char** argv) {
  static const std::array<option, 9> known{{{"plan", required_argument, nullptr, 'p'},
                                            {"only", required_argument, nullptr, 'n'},
                                            {"output", required_argument, nullptr, 'o'},
                                            {"budget", required_argument, nullptr, 'b'},
                                            {"limit", required_argument, nullptr, 'l'},
                                            {"list", no_argument, nullptr, 'L'},
                                            {"serve", no_argument, nullptr, 's'},
                                            {"help", no_argument, nullptr, 'h'},
                                            {nullptr, 0, nullptr, 0}}};
  Options options;
  for (int c = 0; (c = ::getopt_long(argc, argv, "o:h", known.data(), nullptr)) != -1;) {
    switch (c) {
      case 'p':
        options.plan = gpu_plan_named(optarg);
        break;
      case 'n':
        options.only = split(optarg);
        break;
      case 'o':
        options.path = optarg;
        break;
      case 'b':
        options.limits.budget_s = seconds_of(optarg);
        break;
      case 'l':
        options.limits.point_floor_s = seconds_of(optarg);
        break;
      case 'L':
        options.list = true;
        break;
      case 's':
        options.serve = true;
        break;
      case 'h':
        options.help = true;
        break;
      default:
        throw std::invalid_argument("see --help");  // getopt has said what is wrong
    }
  }
  if (optind < argc) throw std::invalid_argument(fmt::format("unexpected '{}'; see --help", argv[optind]));
  return options;
}

std::string command_line(int argc, char** argv) {
  std::string text = "gridlock-measure-cuda";
  for (int i = 1; i < argc; ++i) text += fmt::format(" {}", argv[i]);
  return text;
}

void list(const Options& options) {
  const Plan plan = only(make_gpu_plan(options.plan, gpu::open_cuda_device()->describe()), options.only);
  for (const PlannedPoint& planned : plan) fmt::print("{:6.2f} s  {}\n", planned.expected_s, describe(planned.point));
  fmt::print("{:6.0f} s  {} points\n", expected_seconds(plan), plan.size());
}

int measure(const Options& options, const std::string& command) {
  RunRequest request;
  request.plan = [&](const Description& machine) { return only(make_gpu_plan(options.plan, machine), options.only); };
  request.path = options.path;
  request.limits = options.limits;
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  request.provenance = {{"command", command}, {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))}};
  request.tell = [](const std::string& text) { fmt::print(stderr, "{}", text); };
  const RunOutcome outcome = run_plan(cuda_child(), request);
  if (outcome.interrupted) return Exit::interrupted;
  if (outcome.nothing()) fmt::print(stderr, "error: nothing could be measured; {} says why\n", options.path);
  return outcome.nothing() ? Exit::device : Exit::done;
}

int run(int argc, char** argv) {
  const Options options = parse(argc, argv);
  if (options.help) {
    fmt::print("{}", help);
    return Exit::done;
  }
  if (options.serve) return serve(gpu::open_cuda_device, serve_socket);
  if (options.list) {
    list(options);
    return Exit::done;
  }
  return measure(options, command_line(argc, argv));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return Exit::usage;
  } catch (const std::runtime_error& error) {  // DeviceMissing, DeviceError, PointError
    fmt::print(stderr, "error: {}\n", error.what());
    return Exit::device;
  }
}

// The benchmarks, one a file. Each takes a planned point (calibrate/measure/gpu_plan_parts.hpp says what it holds) and returns it
// with times. Throw DeviceError, also for a label or number that is missing.
#pragma once

#include "calibrate/gpu/machine.hpp"
#include "calibrate/gpu/timing.hpp"
#include "calibrate/point.hpp"

namespace gridlock::calibrate::gpu {

Point measure_gemm(Machine& machine, Point point);        // gemm, attention
Point measure_softmax(Machine& machine, Point point);     // softmax
Point measure_stream(Machine& machine, Point point);      // copy, scale, triad
Point measure_launch(Machine& machine, Point point);      // launch
Point measure_host_copy(Machine& machine, Point point);   // host_copy
Point measure_peer_copy(Machine& machine, Point point);   // peer_copy
Point measure_collective(Machine& machine, Point point);  // all_reduce, all_gather, reduce_scatter, all_to_all, sendrecv
Point measure_overlap(Machine& machine, Point point);     // overlap
Point measure_sustained(Machine& machine, Point point);   // sustained
Point cause_fault(Machine& machine, Point point);         // fault: never returns a time

// A number or label of the point.
double number(const Point& point, const std::string& name);
long count(const Point& point, const std::string& name);  // a positive whole number
const std::string& label(const Point& point, const std::string& name);

// The point with times, and clocks and power beside its own numbers.
Point with(Point point, const Timing& timing);

}  // namespace gridlock::calibrate::gpu

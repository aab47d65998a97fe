// Memory bandwidth in the way of STREAM (McCalpin): points copy (c = a), scale (b = q c) and triad (a = b + q c), in doubles,
// each thread on its share of the arrays. `bytes`: read and written together, so 2 or 3 arrays; what caches fetch besides (the
// lines that are about to be overwritten) does not count.
#pragma once

#include "calibrate/cpu/timing.hpp"
#include "calibrate/point.hpp"

namespace gridlock::calibrate {

// `planned` with its times, by `threads` threads. Throws DeviceError on sizes that it cannot do.
Point measure_stream(const Point& planned, int threads, const Repeats& repeats);

}  // namespace gridlock::calibrate

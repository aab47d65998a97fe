// A finished sweep as plain data: what tables, CSV and HTML reports are made from.
#pragma once

#include <string>
#include <vector>

#include "sim/sweep/axis.hpp"
#include "sim/sweep/point.hpp"

namespace gridlock::sweep {

// The first line of a result file: which sweep its points belong to. Two sweeps with the same header have the same points.
struct Header {
  std::string version;        // of gridlock
  std::string scenario;       // name
  std::string fnv1a64;        // of the resolved scenario, --set applied
  std::vector<Axis> axes;     // first varies slowest
  double knee_threshold = 0;  // 0.05: 5 %; 0: no knees are looked for
  bool ignore_memory = false;
  std::string scaling;  // of `--scale gpus=...`: what is held ("batch.global"); the axis's numbers are GPUs. Else empty
};

// Where a line of the grid (all axes but one held) leaves its best step time by more than the threshold.
struct Knee {
  std::size_t axis = 0;           // the one that varies
  std::vector<std::size_t> held;  // by axis: index of its value; the varying one's is 0
  bool below = true;              // the step gets slower below `value`, else above it
  double value = 0;               // in the axis's unit: half way between the two points that enclose it
  double fast_value = 0, slow_value = 0;
  std::string why_wide;                  // not empty: why these two are further apart than knee_tolerance
  double plateau_s = 0;                  // the line's best step time
  bool saturated = true;                 // false: the step was still getting faster at the end of the range
  std::string fast_regime, slow_regime;  // what bounds the step on each side
};

// A point where more bandwidth made the step slower.
struct Reversal {
  std::size_t axis = 0;
  std::int64_t from = 0, to = 0;  // grid indices: `to` has more bandwidth and takes longer
  double slower_s = 0;
  std::string why;
};

struct Result {
  Header header;
  std::vector<Point> points;  // of the grid by index, then refining ones by values
  std::vector<Knee> knees;
  std::vector<Reversal> reversals;
  std::vector<std::string> notes;  // what else the reader must know: axes without a knee, and why
};

}  // namespace gridlock::sweep

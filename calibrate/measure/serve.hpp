// The child's side of the protocol in device_process.hpp.
#pragma once

#include <functional>

#include "calibrate/measure/device.hpp"

namespace gridlock::calibrate {

// Opens the device, describes it and measures what it is asked over `socket` until the other side closes it. Returns the exit
// status of the process: 0, 4 when the device is missing (the other side is told), 1 when the device became unusable.
int serve(const std::function<std::unique_ptr<Device>()>& open, int socket);

// The other side's: what the first line says. Throws DeviceMissing, or std::logic_error on a line of no such protocol.
Description read_description(const std::string& line);

struct DeviceAnswer {
  Point point;            // measured, or with the error
  bool unusable = false;  // the child ends after this answer
};

// Likewise for an answer.
DeviceAnswer read_answer(const std::string& line);

// Likewise for a question: a line of the format of points.
Point read_point_line(const std::string& line);

}  // namespace gridlock::calibrate

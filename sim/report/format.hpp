// Numbers as people read them: three significant figures and a unit (1e9 bytes = 1 GB).
#pragma once

#include <string>

namespace gridlock::report {

std::string seconds(double value);                             // "13.4 s", "41.2 ms", "3.10 us"
std::string bytes(double value);                               // "61.4 GB"
std::string bytes_per_second(double value);                    // "48.7 GB/s"
std::string percent(double share);                             // "12.3 %"
std::string thousands(double value);                           // "12,345"
std::string bar(double share, int width);                      // "█████▌", at most `width` columns
std::string clip(const std::string& text, std::size_t width);  // cut with an ellipsis

}  // namespace gridlock::report

#pragma once

namespace gridlock::collectives {

constexpr double us = 1e-6, gb = 1e9;  // seconds, bytes (or bytes per second)

}  // namespace gridlock::collectives

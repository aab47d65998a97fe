#include "sim/report/version.hpp"

namespace gridlock::report {

const char* version() { return GRIDLOCK_VERSION; }

}  // namespace gridlock::report

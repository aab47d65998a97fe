// The version of this build, from the top CMakeLists.txt.
#pragma once

namespace gridlock::report {

const char* version();

}  // namespace gridlock::report

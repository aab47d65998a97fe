// Keys of a scenario by their dotted path, checked before anything is simulated.
#pragma once

#include <string>

namespace gridlock::sweep {

// Throws SpecificationError, with the nearest key, when scenarios have no such key; a number stands for an element of a list.
// Returns whether the key holds whole numbers.
bool check_path(const std::string& path);

}  // namespace gridlock::sweep

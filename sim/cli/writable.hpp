// Whether a result can be written, asked before anything is simulated: a typo in a folder must not cost the whole sweep.
#pragma once

#include <string>

namespace gridlock::cli {

// Throws scenario::FileError when the file cannot be opened for writing. Leaves what is there as it is. Empty: no file is wanted.
void require_writable(const std::string& file);

}  // namespace gridlock::cli

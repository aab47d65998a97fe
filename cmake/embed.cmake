# Writes a C++ source that holds text files: cmake -DOUTPUT=FILE "-DNAMES=a;b" "-DFILES=x;y" -P embed.cmake
# Each name becomes a std::string_view of gridlock::report::html (sim/report/html/assets.hpp).
set(text "// Made by cmake/embed.cmake.\n#include \"sim/report/html/assets.hpp\"\nnamespace gridlock::report::html {\n")
foreach(name file IN ZIP_LISTS NAMES FILES)
  file(READ ${file} hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR bytes "${digits} / 2")
  string(REGEX REPLACE "(..)" "\\\\x\\1" escaped "${hex}")
  string(REPLACE "\\x0a" "\\x0a\"\n\"" escaped "${escaped}")  # a literal for every line of the file
  string(APPEND text "const std::string_view ${name}(\"${escaped}\", ${bytes});\n")
endforeach()
string(APPEND text "}  // namespace gridlock::report::html\n")
file(WRITE ${OUTPUT} "${text}")

// Text files that are built into the program: scripts and styles of HTML reports. Made at build time (cmake/embed.cmake).
#pragma once

#include <string_view>

namespace gridlock::report::html {

extern const std::string_view d3_script;   // Debian's d3, minified
extern const std::string_view d3_licence;  // the notice that must go with it
extern const std::string_view page_style;
extern const std::string_view common_script;     // formats, colours, tooltips, charts
extern const std::string_view run_script;        // `gridlock run --html`
extern const std::string_view jobs_script;       // `gridlock run --with --html`
extern const std::string_view sweep_script;      // `gridlock sweep --html`
extern const std::string_view calibrate_script;  // `gridlock calibrate --html`

}  // namespace gridlock::report::html

// One self-contained HTML file: style, data, d3 and the scripts that draw. It asks nothing of the network (its content security
// policy forbids it), and works from a disk.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gridlock::report::html {

// `script` is one of assets.hpp; it draws `data`. Throws scenario::FileError when the file cannot be written.
void write_page(const std::string& file, const std::string& title, std::string_view script, const nlohmann::ordered_json& data);

// What readers call each state of the breakdown, by its name in JSON.
nlohmann::ordered_json state_titles();

// `text` as the content of an element or of an attribute.
std::string escape(const std::string& text);

}  // namespace gridlock::report::html

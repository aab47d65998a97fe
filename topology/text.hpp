// Names and patterns: what fault rules and "did you mean" messages need.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gridlock::topology {

// Shell-style match of the whole text: '*' stands for any run of characters (also none), '?' for exactly one.
bool glob_match(std::string_view pattern, std::string_view text);

// Fewest insertions, deletions, substitutions and swaps of neighbours that turn a into b (optimal string alignment);
// letter case does not count. Stops early and returns limit + 1 once it must exceed `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit = static_cast<std::size_t>(-2));

// The candidate most like `name`, the first of equals; nothing when all differ in more than a third of the letters (at least 2).
std::optional<std::string> closest(std::string_view name, std::span<const std::string> candidates);

}  // namespace gridlock::topology

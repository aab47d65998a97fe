#include "sim/sweep/merge.hpp"

#include <fmt/format.h>

#include "sim/sweep/header.hpp"

namespace gridlock::sweep {
namespace {

// The line of the same point in the merged file; empty when it has none.
std::string line_there(const ResultFile& merged, const Point& point) {
  if (!point.refined())
    return merged.has(static_cast<std::uint64_t>(point.index))
               ? point_json(merged.read(static_cast<std::uint64_t>(point.index))).dump()
               : "";
  const auto there = merged.refined(point.values);
  return there ? point_json(*there).dump() : "";
}

}  // namespace

void merge(const std::vector<std::string>& files, ResultFile& merged) {
  for (const std::string& name : files) {
    const ResultFile part(name, ResultFile::Mode::read, std::nullopt);
    const std::string difference = header_difference(header_json(part.header()), header_json(merged.header()));
    if (!difference.empty()) throw WrongFile(fmt::format("{} is of another sweep than {}: {}", name, files.front(), difference));
    part.visit_points([&](const std::string& line) {
      const std::string there = line_there(merged, point_of_json(nlohmann::ordered_json::parse(line)));
      if (there.empty()) merged.append(line);
      if (!there.empty() && there != line)
        throw WrongFile(fmt::format("{} and another file disagree about a point: {}", name, line.substr(0, 200)));
    });
  }
}

}  // namespace gridlock::sweep

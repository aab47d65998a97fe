#include "sim/cli/background.hpp"

#include <fmt/format.h>

#include <charconv>

#include "sim/cli/command.hpp"
#include "topology/error.hpp"
#include "topology/fabric.hpp"

namespace gridlock::cli {
namespace {

struct Load {
  std::string pattern;
  double share = 0;
};

Load parse(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  Load load;
  bool number = equals != std::string::npos && text.rfind("link:", 0) == 0 && equals > 5;
  if (number) {
    load.pattern = text.substr(5, equals - 5);
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, load.share);
    number = error == std::errc() && stop == end && load.share >= 0 && load.share < 1;
  }
  if (!number)
    throw UsageError(fmt::format(
        "--background '{}': write link:PATTERN=SHARE with a share from 0 to below 1, such as 'link:leaf3:*=0.3'", text));
  return load;
}

}  // namespace

void add_background(scenario::Scenario& s, const std::vector<std::string>& background) {
  for (const std::string& text : background) {
    const Load load = parse(text);
    const topology::LinkFault fault{load.pattern, 1 - load.share};
    try {
      topology::build_fabric(s.cluster, s.profile.links, {fault});
    } catch (const topology::SpecError& error) {
      if (error.path.rfind("faults.links", 0) != 0) throw;
      throw UsageError(fmt::format("--background '{}': {}{}", text, error.what(), error.help.empty() ? "" : "; " + error.help));
    }
    s.faults.links.push_back(fault);
    s.warnings.push_back(fmt::format("background load takes {:g} % of links {}", 100 * load.share, load.pattern));
  }
}

}  // namespace gridlock::cli

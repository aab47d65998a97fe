// gridlock schema: the JSON Schema of scenarios, for editors.

#include <cstdio>

#include "sim/cli/command.hpp"
#include "sim/cli/exit_codes.hpp"
#include "sim/scenario/load.hpp"

namespace gridlock::cli {

void add_schema(CLI::App& app, Run& chosen) {
  auto markdown = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of scenario files");
  command->add_flag("--markdown", *markdown, "print the reference of all keys as Markdown instead");
  command->footer("example: gridlock schema > scenario.schema.json");
  command->callback([markdown, &chosen] {
    chosen = [markdown] {
      const std::string text = *markdown ? scenario::scenario_reference_markdown() : scenario::scenario_schema();
      deliver({}, text, "");
      return static_cast<int>(ExitCode::done);
    };
  });
}

}  // namespace gridlock::cli

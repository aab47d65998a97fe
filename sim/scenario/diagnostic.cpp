#include "sim/scenario/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace gridlock::scenario {
namespace {

struct Paint {
  bool on;
  std::string operator()(std::string_view code, std::string_view text) const {
    return on ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
};

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u; }

// What stands under `text` so that the next character printed lines up with its end: tabs stay tabs, the rest is blank.
std::string blank_of(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!continues_character(c)) out += c == '\t' ? '\t' : ' ';
  }
  return out;
}

constexpr std::size_t longest_line = 500;  // bytes; a mistyped quote can make a name of half a file

// Control characters of a hostile file must not reach the terminal, nor pages of text.
std::string printable(std::string_view text) {
  std::size_t end = std::min(text.size(), longest_line);
  while (end < text.size() && continues_character(text[end])) --end;
  std::string out(text.substr(0, end));
  for (char& c : out) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f) c = '?';
  }
  return end < text.size() ? out + "..." : out;
}

constexpr std::size_t longest_excerpt = 200;  // bytes; a line of a generated file may have thousands

}  // namespace

Diagnostic diagnose(Severity severity, std::string code, const Mark& mark, std::string message, std::string help) {
  Diagnostic d{severity, std::move(code), {}, mark.line, mark.column, mark.length, std::move(message), std::move(help), {}};
  if (mark.source) {
    d.source = mark.source->path;
    if (mark.line > 0) d.excerpt = std::string(line_of(mark.source->text, mark.line));
  }
  return d;
}

std::string render(const Diagnostic& d, bool colour) {
  const Paint paint{colour};
  const bool error = d.severity == Severity::error;
  std::string out =
      fmt::format("{}: {}\n", paint(error ? "1;31" : "1;33", error ? "error" : "warning"), paint("1", printable(d.message)));
  const std::string number = d.line > 0 ? std::to_string(d.line) : std::string();
  const std::string margin(std::max<std::size_t>(number.size(), 1), ' ');
  if (!d.source.empty()) {
    out += fmt::format("{}{} {}", margin, paint("34", "-->"), d.source);
    if (d.line > 0) out += fmt::format(":{}:{}", d.line, d.column);
    out += '\n';
  }
  if (d.line > 0 && !d.excerpt.empty() && d.excerpt.size() <= longest_excerpt) {
    const std::string line = printable(d.excerpt);
    const auto begin = std::min<std::size_t>(static_cast<std::size_t>(std::max(d.column - 1, 0)), line.size());
    const std::string under = line.substr(begin, static_cast<std::size_t>(std::max(d.length, 1)));
    const auto carets =
        static_cast<std::size_t>(std::count_if(under.begin(), under.end(), [](char c) { return !continues_character(c); }));
    const std::string bar = paint("34", "|");
    out += fmt::format("{} {}\n{} {} {}\n{} {} {}{}\n", margin, bar, number, bar, line, margin, bar,
                       blank_of(std::string_view(line).substr(0, begin)),
                       paint(error ? "31" : "33", std::string(std::max<std::size_t>(carets, 1), '^')));
  }
  if (!d.help.empty()) out += fmt::format("{} {} {}\n", margin, paint("34", "= help:"), printable(d.help));
  return out;
}

std::string render(const std::vector<Diagnostic>& diagnostics, bool colour) {
  std::string out;
  std::size_t errors = 0, warnings = 0;
  for (const Diagnostic& d : diagnostics) {
    out += render(d, colour);
    ++(d.severity == Severity::error ? errors : warnings);
  }
  const auto counted = [](std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
  if (errors > 0) out += counted(errors, "error");
  if (errors > 0 && warnings > 0) out += ", ";
  if (warnings > 0) out += counted(warnings, "warning");
  if (errors >= Diagnostics::max_errors) out += "; stopped there";
  return out + "\n";
}

std::string one_line(const Diagnostic& d) {
  std::string out = d.source;
  if (d.line > 0) out += fmt::format(":{}:{}", d.line, d.column);
  if (!out.empty()) out += ": ";
  out += d.message;
  if (!d.help.empty()) out += fmt::format(" ({})", d.help);
  return out;
}

InvalidScenario::InvalidScenario(std::vector<Diagnostic> found)
    : std::runtime_error(render(found)), diagnostics(std::move(found)) {}

void Diagnostics::add(Diagnostic diagnostic) {
  const bool error = diagnostic.severity == Severity::error;
  all_.push_back(std::move(diagnostic));
  if (error && ++errors_ == max_errors) throw_if_errors();
}

void Diagnostics::error(std::string code, const Mark& mark, std::string message, std::string help) {
  add(diagnose(Severity::error, std::move(code), mark, std::move(message), std::move(help)));
}

void Diagnostics::warning(std::string code, const Mark& mark, std::string message, std::string help) {
  add(diagnose(Severity::warning, std::move(code), mark, std::move(message), std::move(help)));
}

void Diagnostics::throw_if_errors() const {
  if (errors_ == 0) return;
  // Files in the order in which they were first complained about, lines in order within a file.
  std::vector<std::string> files;
  for (const Diagnostic& d : all_) {
    if (std::find(files.begin(), files.end(), d.source) == files.end()) files.push_back(d.source);
  }
  const auto rank = [&](const Diagnostic& d) { return std::find(files.begin(), files.end(), d.source) - files.begin(); };
  std::vector<Diagnostic> sorted = all_;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Diagnostic& a, const Diagnostic& b) {
    return std::tuple(rank(a), a.line, a.column) < std::tuple(rank(b), b.line, b.column);
  });
  throw InvalidScenario(std::move(sorted));
}

}  // namespace gridlock::scenario

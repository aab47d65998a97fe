#include "sim/report/html/page.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "sim/report/html/assets.hpp"
#include "sim/report/summary.hpp"
#include "sim/report/version.hpp"
#include "sim/scenario/diagnostic.hpp"

namespace gridlock::report::html {
namespace {

// JSON inside a script element: "</script>" in a name must not end it.
std::string script_json(const nlohmann::ordered_json& data) {
  const std::string text = data.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (char c : text) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

}  // namespace

std::string escape(const std::string& text) {
  std::string safe;
  for (char c : text) switch (c) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  return safe;
}

nlohmann::ordered_json state_titles() {
  nlohmann::ordered_json titles;
  for (std::size_t s = 0; s < analysis::state_count; ++s)
    titles[std::string(analysis::state_names[s])] = state_title(static_cast<analysis::State>(s));
  return titles;
}

void write_page(const std::string& file, const std::string& title, std::string_view script, const nlohmann::ordered_json& data) {
  const std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src "
      "'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"gridlock {}\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n"
      "<main id=\"report\"><noscript>This report draws its charts with JavaScript, from data in this file.</noscript></main>\n"
      "<!--\n{}-->\n<script>\n{}\n</script>\n<script type=\"application/json\" id=\"data\">{}</script>\n"
      "<script>\n{}\n{}</script>\n</body>\n</html>\n",
      version(), escape(title), page_style, d3_licence, d3_script, script_json(data), common_script, script);
  const auto close = [](std::FILE* f) { std::fclose(f); };
  const std::unique_ptr<std::FILE, decltype(close)> out(std::fopen(file.c_str(), "w"), close);
  if (!out || std::fwrite(page.data(), 1, page.size(), out.get()) != page.size() || std::fflush(out.get()) != 0)
    throw scenario::FileError(file, fmt::format("cannot write {}: {}", file, std::strerror(errno)));
}

}  // namespace gridlock::report::html

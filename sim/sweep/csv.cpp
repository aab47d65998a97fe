#include "sim/sweep/csv.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "sim/scenario/diagnostic.hpp"

namespace gridlock::sweep {
namespace {

std::string csv_quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string heading(const Grid& grid) {
  std::string text = "index";
  for (const Axis& axis : grid.axes())
    for (const std::string& path : axis.paths) text += "," + csv_quoted(path);
  text += ",error,step_s,tokens_per_s_per_gpu,mfu_full,mfu_causal,hfu,memory_bytes,gpus";
  for (const std::string_view state : analysis::state_names) text += fmt::format(",{}", state);
  for (std::size_t c = 0; c < path_categories; ++c) text += fmt::format(",path_{}", category_name(c));
  return text +
         ",bottleneck,bottleneck_utilization,waits_link_s,waits_latency_s,waits_copy_s,waits_peer_s,main_cause,fingerprint\n";
}

std::string row(const Point& p) {
  std::string text = p.refined() ? "" : fmt::format("{}", p.index);
  for (const std::string& value : p.values) text += "," + csv_quoted(value);
  text += "," + csv_quoted(p.error);
  constexpr std::size_t columns = 7 + analysis::state_count + path_categories + 8;
  if (p.failed()) return text + std::string(columns, ',') + "\n";
  text += fmt::format(",{},{},{},{},{},{},{}", p.step_s, p.tokens_per_s_per_gpu, p.mfu_full, p.mfu_causal, p.hfu, p.memory_bytes,
                      p.gpus);
  for (const double seconds : p.breakdown) text += fmt::format(",{}", seconds);
  for (const double seconds : p.critical_path) text += fmt::format(",{}", seconds);
  const Cause& main = p.causes.front();
  return text + fmt::format(",{},{},{},{},{},{},{},{}\n", csv_quoted(p.bottleneck), p.bottleneck_utilization, p.waits_link_s,
                            p.waits_latency_s, p.waits_copy_s, p.waits_peer_s,
                            csv_quoted(main.state + (main.name.empty() ? "" : ": " + main.name)), p.fingerprint);
}

}  // namespace

void write_csv(const ResultFile& file, const std::string& name) {
  const auto close = [](std::FILE* f) { std::fclose(f); };
  const std::unique_ptr<std::FILE, decltype(close)> out(std::fopen(name.c_str(), "w"), close);
  const auto fail = [&] { throw scenario::FileError(name, fmt::format("cannot write {}: {}", name, std::strerror(errno))); };
  if (!out) fail();
  const auto put = [&](const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), out.get()) != text.size()) fail();
  };
  put(heading(file.grid()));
  for (std::uint64_t i = 0; i < file.grid().size(); ++i)
    if (file.has(i)) put(row(file.read(i)));
  for (const Point& point : file.all_refined()) put(row(point));
  if (std::fflush(out.get()) != 0) fail();
}

}  // namespace gridlock::sweep

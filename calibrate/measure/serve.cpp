#include "calibrate/measure/serve.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

namespace gridlock::calibrate {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string description_line(const Description& d) {
  return dump({{"name", d.name},
               {"provenance", d.provenance},
               {"benchmarks", d.benchmarks},
               {"dtypes", d.dtypes},
               {"limits", d.limits},
               {"devices", d.devices},
               {"memory_bytes", d.memory_bytes}});
}

std::string answer_line(const DeviceAnswer& answer) {
  return fmt::format(R"({{"unusable":{},"point":{}}})", answer.unusable, point_line(answer.point));
}

void send_line(int socket, const std::string& line) {
  const std::string text = line + "\n";
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = ::send(socket, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) ::_exit(0);  // nobody wants the answer
    sent += static_cast<std::size_t>(n);
  }
}

// The next line; false at the end.
bool read_line(int socket, std::string& buffer, std::string& line) {
  for (;;) {
    if (const std::size_t end = buffer.find('\n'); end != std::string::npos) {
      line = buffer.substr(0, end);
      buffer.erase(0, end + 1);
      return true;
    }
    std::array<char, 4096> bytes{};
    const ssize_t got = ::read(socket, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    buffer.append(bytes.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

int serve(const std::function<std::unique_ptr<Device>()>& open, int socket) {
  std::unique_ptr<Device> device;
  try {
    device = open();
    send_line(socket, description_line(device->describe()));
  } catch (const DeviceMissing& missing) {
    send_line(socket, dump({{"missing", missing.what()}}));
    return 4;
  }
  std::string buffer, line;
  while (read_line(socket, buffer, line)) {
    Point point = read_point_line(line);
    bool unusable = false;
    try {
      point = device->measure(point);
    } catch (const DeviceError& error) {
      point.seconds.clear();
      point.error = error.what();
      unusable = error.unusable;
    }
    send_line(socket, answer_line({point, unusable}));
    if (unusable) return 1;
  }
  return 0;
}

Description read_description(const std::string& line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) throw std::logic_error("a measuring process that describes no device: " + line);
  if (json.contains("missing")) throw DeviceMissing(json["missing"].get<std::string>());
  Description d;
  json.at("name").get_to(d.name);
  json.at("provenance").get_to(d.provenance);
  json.at("benchmarks").get_to(d.benchmarks);
  json.at("dtypes").get_to(d.dtypes);
  json.at("limits").get_to(d.limits);
  json.at("devices").get_to(d.devices);
  json.at("memory_bytes").get_to(d.memory_bytes);
  return d;
}

DeviceAnswer read_answer(const std::string& line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("point")) throw std::logic_error("a measuring process that answers no point: " + line);
  return {read_point_line(json["point"].dump()), json.at("unusable").get<bool>()};
}

Point read_point_line(const std::string& line) {
  std::istringstream file(header_line({}) + "\n" + line + "\n");
  PointFile points = read_points(file, "the measuring process");
  if (points.points.size() != 1) throw std::logic_error("no point: " + line);
  return std::move(points.points.front());
}

}  // namespace gridlock::calibrate

#include "sim/scenario/writer.hpp"

namespace gridlock::scenario {
namespace {

class Writer final : public Fields {
 public:
  nlohmann::ordered_json out = nlohmann::ordered_json::object();

  void quantity(const Field& field, double& value, Unit unit, std::optional<double> absent, Range range) override {
    if (stands_for_absent(value, absent.has_value(), range)) return;
    if (unit == Unit::ratio || unit == Unit::count) {
      out[std::string(field.key)] = value;
    } else {
      out[std::string(field.key)] = format_quantity(value, unit);
    }
  }
  void boolean(const Field& field, bool& value, std::optional<bool>) override { out[std::string(field.key)] = value; }
  void text(const Field& field, std::string& value, std::optional<std::string>) override { out[std::string(field.key)] = value; }
  void custom(const Field& field, const Custom& type, bool) override {
    if (auto value = type.write(); !value.is_null()) out[std::string(field.key)] = std::move(value);
  }
  void map(const Field& field, bool, const Describe& describe) override { out[std::string(field.key)] = write_map(describe); }
  void reference(const Field& field, std::string_view, const Describe& describe) override { map(field, true, describe); }

 protected:
  void integer_field(const Field& field, std::int64_t& value, std::optional<std::int64_t> absent, Range range) override {
    if (stands_for_absent(static_cast<double>(value), absent.has_value(), range)) return;
    out[std::string(field.key)] = value;
  }
  void choice_field(const Field& field, std::size_t& index, std::optional<std::size_t>,
                    const std::vector<std::string_view>& words) override {
    out[std::string(field.key)] = words.at(index);
  }
  void list_field(const Field& field, std::size_t count, const std::function<void(std::size_t)>&,
                  const std::function<void(Fields&, std::size_t)>& describe) override {
    auto list = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < count; ++i) list.push_back(write_map([&](Fields& f) { describe(f, i); }));
    out[std::string(field.key)] = std::move(list);
  }
  bool present(const Field&, bool has_value) override { return has_value; }

 private:
  // A default that no file could give (0 where 1 is the least): the key is left out, as it was.
  static bool stands_for_absent(double value, bool has_default, const Range& range) {
    return has_default && (range.above ? value <= range.min : value < range.min);
  }
};

}  // namespace

nlohmann::ordered_json write_map(const Describe& describe) {
  Writer writer;
  describe(writer);
  return std::move(writer.out);
}

}  // namespace gridlock::scenario

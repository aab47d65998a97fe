#include "sim/scenario/documenter.hpp"

#include <fmt/format.h>

namespace gridlock::scenario {
namespace {

using Json = nlohmann::ordered_json;

class Documenter final : public Fields {
 public:
  std::vector<FieldDoc> out;

  void quantity(const Field& field, double& value, Unit unit, std::optional<double> absent, Range range) override {
    const bool plain = unit == Unit::ratio;
    Json schema = plain ? Json{{"type", "number"}} : Json{{"type", Json::array({"string", "number"})}};
    if (plain) bound(schema, range);
    std::string fallback;
    if (absent) fallback = plain ? fmt::format("{}", *absent) : format_quantity(*absent, unit);
    FieldDoc& doc = add(field, plain ? "number" : fmt::format("{}, such as {}", unit_name(unit), unit_example(unit)), fallback,
                        !absent, std::move(schema));
    if (!plain) doc.schema["examples"] = Json::array({unit_example(unit)});
    // What is declared after this field may depend on its value; a plausible one keeps those defaults meaningful.
    if (absent) value = *absent;
  }
  void boolean(const Field& field, bool& value, std::optional<bool> absent) override {
    add(field, "true or false", absent ? (*absent ? "true" : "false") : "", !absent, {{"type", "boolean"}});
    if (absent) value = *absent;
  }
  void text(const Field& field, std::string&, std::optional<std::string> absent) override {
    add(field, "text", absent.value_or(""), !absent, {{"type", "string"}});
  }
  void custom(const Field& field, const Custom& type, bool needed) override { add(field, type.type, "", needed, type.schema); }
  void map(const Field& field, bool needed, const Describe& describe) override {
    FieldDoc& doc = add(field, "map", needed ? "" : "the defaults below", needed, nullptr);
    doc.shape = FieldDoc::Shape::map;
    doc.inner = document(describe);
  }
  void reference(const Field& field, std::string_view folder, const Describe& describe) override {
    FieldDoc& doc = add(field, fmt::format("a name from {}/, a path, or a map", folder), "", true, nullptr);
    doc.shape = FieldDoc::Shape::map;
    doc.folder = folder;
    doc.inner = document(describe);
  }

 protected:
  void integer_field(const Field& field, std::int64_t& value, std::optional<std::int64_t> absent, Range range) override {
    // A string besides: 40M and 1e6 are whole numbers, too.
    Json schema{{"type", Json::array({"integer", "string"})}};
    bound(schema, range);
    add(field, "whole number", absent ? fmt::format("{}", *absent) : "", !absent, std::move(schema));
    value = absent.value_or(1);
  }
  void choice_field(const Field& field, std::size_t&, std::optional<std::size_t> absent,
                    const std::vector<std::string_view>& words) override {
    add(field, fmt::format("{}", fmt::join(words, ", ")), absent ? std::string(words.at(*absent)) : "", !absent,
        {{"enum", words}});
  }
  void list_field(const Field& field, std::size_t, const std::function<void(std::size_t)>&,
                  const std::function<void(Fields&, std::size_t)>& describe) override {
    FieldDoc& doc = add(field, "list of maps", "none", false, nullptr);
    doc.shape = FieldDoc::Shape::list;
    doc.inner = document([&](Fields& f) { describe(f, 0); });
  }
  bool present(const Field&, bool) override {
    optional_ = true;
    return true;
  }

 private:
  static void bound(Json& schema, const Range& range) {
    const auto number = [](double v) {
      return v == std::floor(v) && std::abs(v) < 9e15 ? Json(static_cast<std::int64_t>(v)) : Json(v);
    };
    if (std::isfinite(range.min)) schema[range.above ? "exclusiveMinimum" : "minimum"] = number(range.min);
    if (std::isfinite(range.max)) schema["maximum"] = number(range.max);
  }

  FieldDoc& add(const Field& field, std::string type, std::string absent, bool needed, Json schema) {
    FieldDoc doc;
    doc.key = field.key;
    doc.help = field.help;
    doc.type = std::move(type);
    // What is said about leaving it out: some values of other keys need it, some do not.
    doc.needed = needed && !optional_ && field.when_absent.empty();
    // A default that depends on other keys is put in words.
    doc.absent = !field.when_absent.empty() ? std::string(field.when_absent)
                 : doc.needed               ? "required"
                 : needed                   ? "none"
                                            : std::move(absent);
    doc.schema = std::move(schema);
    optional_ = false;
    return out.emplace_back(std::move(doc));
  }

  bool optional_ = false;  // the next field is a key that may be left out altogether
};

}  // namespace

std::vector<FieldDoc> document(const Describe& describe) {
  Documenter documenter;
  describe(documenter);
  return std::move(documenter.out);
}

}  // namespace gridlock::scenario

// One declaration of each key of a scenario serves four purposes: reading it strictly from YAML (reader.hpp), writing the
// resolved scenario (writer.hpp), the JSON Schema and the reference table (documenter.hpp). A declaration is a function
//
//   void describe(Fields& f, Batch& b) {
//     f.integer({"global", "sequences in one step"}, b.global, required, {1, 1e9});
//   }
//
// in the order in which people should read the keys; the four purposes are four implementations of Fields.
#pragma once

#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/scenario/quantity.hpp"
#include "sim/scenario/yaml.hpp"

namespace gridlock::scenario {

struct Field {
  std::string_view key;
  std::string_view help;           // one line, for the reference
  std::string_view when_absent{};  // shown instead of the default's value: "derived"
};

// Pass instead of a default: leaving the key out is an error.
inline constexpr std::nullopt_t required = std::nullopt;

struct Range {
  double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
  bool above = false;  // min itself is not allowed
};
inline constexpr Range positive{0, std::numeric_limits<double>::infinity(), true};
inline constexpr Range not_negative{0, std::numeric_limits<double>::infinity(), false};
inline constexpr Range share{0, 1, true};  // (0, 1]

class Fields;
class ReadErrors;
using Describe = std::function<void(Fields&)>;

// A value that is none of the plain types: several shapes under one key.
struct Custom {
  std::string type;                                    // for the reference: "even, or a list of whole numbers"
  nlohmann::ordered_json schema;                       // JSON Schema of the value
  std::function<void(const Node&, ReadErrors&)> read;  // the key is present
  std::function<nlohmann::ordered_json()> write;       // null: leave the key out
};

// How a Custom reader complains.
class ReadErrors {
 public:
  virtual ~ReadErrors() = default;
  virtual void error(const Node& at, std::string message, std::string help = {}) = 0;
  virtual std::optional<std::int64_t> integer_of(const Node& node, Range range) = 0;  // complains itself
};

class Fields {
 public:
  virtual ~Fields() = default;

  virtual void quantity(const Field& field, double& value, Unit unit, std::optional<double> absent, Range range) = 0;
  virtual void boolean(const Field& field, bool& value, std::optional<bool> absent) = 0;
  virtual void text(const Field& field, std::string& value, std::optional<std::string> absent) = 0;
  virtual void custom(const Field& field, const Custom& type, bool needed) = 0;

  // A map under the key. Absent and not needed: its fields take their defaults.
  virtual void map(const Field& field, bool needed, const Describe& describe) = 0;
  // The same, or the name of a file of the catalogue with the same content (replaced by it before reading).
  virtual void reference(const Field& field, std::string_view folder, const Describe& describe) = 0;

  template <class Int>
  void integer(const Field& field, Int& value, std::optional<std::int64_t> absent, Range range) {
    static_assert(std::is_integral_v<Int>);
    range.max = std::min(range.max, static_cast<double>(std::numeric_limits<Int>::max()));
    std::int64_t wide = static_cast<std::int64_t>(value);
    integer_field(field, wide, absent, range);
    value = static_cast<Int>(wide);
  }

  template <class Enum>
  void choice(const Field& field, Enum& value, std::optional<Enum> absent,
              std::initializer_list<std::pair<std::string_view, Enum>> names) {
    std::vector<std::string_view> words;
    std::size_t index = 0;
    std::optional<std::size_t> fallback;
    for (const auto& [word, meaning] : names) {
      if (meaning == value) index = words.size();
      if (absent && meaning == *absent) fallback = words.size();
      words.push_back(word);
    }
    choice_field(field, index, fallback, words);
    value = (names.begin() + index)->second;
  }

  // A key that may be left out altogether.
  void optional_quantity(const Field& field, std::optional<double>& value, Unit unit, Range range) {
    if (!present(field, value.has_value())) return;
    double plain = value.value_or(0);
    quantity(field, plain, unit, required, range);
    value = plain;
  }

  template <class T>
  void optional_map(const Field& field, std::optional<T>& value, const std::function<void(Fields&, T&)>& describe) {
    if (!present(field, value.has_value())) return;
    T made = value.value_or(T{});
    map(field, true, [&](Fields& f) { describe(f, made); });
    value = std::move(made);
  }

  template <class T>
  void list(const Field& field, std::vector<T>& values, const std::function<void(Fields&, T&)>& describe) {
    list_field(
        field, values.size(), [&](std::size_t n) { values.assign(n, T{}); },
        [&](Fields& f, std::size_t i) {
          T sample{};  // the documenter asks for element 0 of a list that has none
          describe(f, i < values.size() ? values[i] : sample);
        });
  }

 protected:
  virtual void integer_field(const Field& field, std::int64_t& value, std::optional<std::int64_t> absent, Range range) = 0;
  virtual void choice_field(const Field& field, std::size_t& index, std::optional<std::size_t> absent,
                            const std::vector<std::string_view>& words) = 0;
  virtual void list_field(const Field& field, std::size_t count, const std::function<void(std::size_t)>& resize,
                          const std::function<void(Fields&, std::size_t)>& describe) = 0;
  // Whether to visit an optional key: reading, whether the file has it; writing, whether the value has it.
  virtual bool present(const Field& field, bool has_value) = 0;
};

}  // namespace gridlock::scenario

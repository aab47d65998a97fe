#include "sim/scenario/reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topology/text.hpp"

namespace gridlock::scenario {
namespace {

// What a value outside the range must be. Limits that no sensible value reaches are told only where they are broken.
std::string range_text(const Range& r, double value, const std::function<std::string(double)>& show) {
  const bool low = std::isfinite(r.min), high = std::isfinite(r.max) && r.max < 2147483647.0;
  if (value > r.max && !high) return fmt::format("it must be at most {}", show(r.max));
  if (low && high)
    return fmt::format("it must be {}{} and at most {}", r.above ? "more than " : "at least ", show(r.min), show(r.max));
  if (low && r.min == 0) return r.above ? "it must be more than zero" : "it must not be negative";
  if (low) return fmt::format("it must be {}{}", r.above ? "more than " : "at least ", show(r.min));
  return fmt::format("it must be at most {}", show(r.max));
}

bool inside(const Range& r, double value) { return (r.above ? value > r.min : value >= r.min) && value <= r.max; }

class Reader final : public Fields, public ReadErrors {
 public:
  Reader(const Node& map, const Mark& key_mark, std::string path, Diagnostics& out)
      : map_(map), key_mark_(key_mark), path_(std::move(path)), out_(out) {}

  void quantity(const Field& field, double& value, Unit unit, std::optional<double> absent, Range range) override {
    const Node* node = scalar(field, absent, value);
    if (!node) return;
    const auto parsed = parse_quantity(node->text, unit);
    if (const auto* error = std::get_if<QuantityError>(&parsed)) {
      out_.error("bad-value", node->mark, fmt::format("{}: {}", full(field.key), error->message), error->help);
      return;
    }
    const Quantity& q = std::get<Quantity>(parsed);
    if (!inside(range, q.value)) {
      out_.error("out-of-range", node->mark, fmt::format("{} is {}", full(field.key), node->text),
                 range_text(range, q.value, [&](double v) { return format_quantity(v, unit); }));
      return;
    }
    if (!q.warning.empty()) out_.warning("suspicious-unit", node->mark, fmt::format("{}: {}", full(field.key), q.warning));
    value = q.value;
  }

  void boolean(const Field& field, bool& value, std::optional<bool> absent) override {
    const Node* node = scalar(field, absent, value);
    if (!node) return;
    if (node->text == "true" || node->text == "false") {
      value = node->text == "true";
    } else {
      out_.error("bad-value", node->mark, fmt::format("{}: '{}' is neither true nor false", full(field.key), node->text),
                 "write true or false");
    }
  }

  void text(const Field& field, std::string& value, std::optional<std::string> absent) override {
    if (const Node* node = scalar(field, absent, value)) value = node->text;
  }

  void custom(const Field& field, const Custom& type, bool needed) override {
    const Entry* entry = find(field);
    if (!entry && needed) missing(field);
    if (!entry) return;
    current_ = full(field.key);
    type.read(entry->value, *this);
  }

  void map(const Field& field, bool needed, const Describe& describe) override {
    static const Node nothing = [] {
      Node n;
      n.kind = Node::Kind::map;
      return n;
    }();
    const Entry* entry = find(field);
    if (!entry && needed) missing(field);
    if (!entry && needed) return;
    if (!entry) {
      Reader inner(nothing, key_mark_, full(field.key), out_);
      describe(inner);
      return;
    }
    read_map(entry->value, entry->key_mark, full(field.key), out_, describe);
  }

  void reference(const Field& field, std::string_view, const Describe& describe) override { map(field, true, describe); }

  void error(const Node& at, std::string message, std::string help) override {
    out_.error("bad-value", at.mark, fmt::format("{}: {}", current_, message), std::move(help));
  }

  std::optional<std::int64_t> integer_of(const Node& node, Range range) override { return whole_number(node, current_, range); }

  void reject_unknown() {
    for (const Entry& entry : map_.entries) {
      if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) continue;
      const std::optional<std::string> near = topology::closest(entry.key, known_);
      const std::string where = path_.empty() ? "" : fmt::format(" in {}", path_);
      out_.error("unknown-key", entry.key_mark, fmt::format("unknown key '{}'{}", entry.key, where),
                 near ? fmt::format("did you mean '{}'?", *near) : fmt::format("keys here: {}", fmt::join(known_, ", ")));
    }
  }

 protected:
  void integer_field(const Field& field, std::int64_t& value, std::optional<std::int64_t> absent, Range range) override {
    const Node* node = scalar(field, absent, value);
    if (!node) return;
    if (const auto read = whole_number(*node, full(field.key), range)) value = *read;
  }

  void choice_field(const Field& field, std::size_t& index, std::optional<std::size_t> absent,
                    const std::vector<std::string_view>& words) override {
    const Node* node = scalar(field, absent, index);
    if (!node) return;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == node->text) {
        index = i;
        return;
      }
    }
    const std::vector<std::string> known(words.begin(), words.end());
    const std::optional<std::string> near = topology::closest(node->text, known);
    out_.error("bad-value", node->mark, fmt::format("{}: unknown value '{}'", full(field.key), node->text),
               near ? fmt::format("did you mean '{}'? known: {}", *near, fmt::join(known, ", "))
                    : fmt::format("known: {}", fmt::join(known, ", ")));
  }

  void list_field(const Field& field, std::size_t, const std::function<void(std::size_t)>& resize,
                  const std::function<void(Fields&, std::size_t)>& describe) override {
    const Entry* entry = find(field);
    if (!entry) return;
    if (!entry->value.is_sequence()) {
      wrong_kind(field, entry->value, "a list");
      return;
    }
    resize(entry->value.items.size());
    for (std::size_t i = 0; i < entry->value.items.size(); ++i) {
      const Node& item = entry->value.items[i];
      read_map(item, item.mark, fmt::format("{}.{}", full(field.key), i), out_, [&](Fields& f) { describe(f, i); });
    }
  }

  bool present(const Field& field, bool) override { return find(field) != nullptr; }

 private:
  std::string full(std::string_view key) const { return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key); }

  const Entry* find(const Field& field) {
    if (std::find(known_.begin(), known_.end(), field.key) == known_.end()) known_.emplace_back(field.key);
    return map_.find(field.key);
  }

  void missing(const Field& field) {
    const std::string where = path_.empty() ? "" : fmt::format(" in {}", path_);
    out_.error("missing-key", key_mark_, fmt::format("missing key '{}'{}", field.key, where),
               fmt::format("{}: {}", field.key, field.help));
  }

  void wrong_kind(const Field& field, const Node& node, std::string_view wanted) {
    out_.error("wrong-type", node.mark, fmt::format("{} is {}, not {}", full(field.key), kind_name(node.kind), wanted),
               fmt::format("{}: {}", field.key, field.help));
  }

  // The scalar under the key; null after reporting what is wrong or after setting the default.
  template <class T, class Default>
  const Node* scalar(const Field& field, const std::optional<Default>& absent, T& value) {
    const Entry* entry = find(field);
    if (!entry) {
      if (absent) {
        value = static_cast<T>(*absent);
      } else {
        missing(field);
      }
      return nullptr;
    }
    if (entry->value.failed) return nullptr;
    if (entry->value.is_scalar()) return &entry->value;
    if (entry->value.kind == Node::Kind::null) {
      out_.error("no-value", entry->key_mark, fmt::format("{} has no value", full(field.key)),
                 fmt::format("{}: {}", field.key, field.help));
    } else {
      wrong_kind(field, entry->value, "a single value");
    }
    return nullptr;
  }

  std::optional<std::int64_t> whole_number(const Node& node, const std::string& name, Range range) {
    if (!node.is_scalar()) {
      out_.error("wrong-type", node.mark, fmt::format("{}: {} instead of a whole number", name, kind_name(node.kind)));
      return std::nullopt;
    }
    const auto parsed = parse_integer(node.text);
    if (const auto* error = std::get_if<QuantityError>(&parsed)) {
      out_.error("bad-value", node.mark, fmt::format("{}: {}", name, error->message), error->help);
      return std::nullopt;
    }
    const std::int64_t value = std::get<std::int64_t>(parsed);
    if (!inside(range, static_cast<double>(value))) {
      out_.error("out-of-range", node.mark, fmt::format("{} is {}", name, node.text),
                 range_text(range, static_cast<double>(value),
                            [](double v) { return fmt::format("{}", static_cast<std::int64_t>(v)); }));
      return std::nullopt;
    }
    return value;
  }

  const Node& map_;
  Mark key_mark_;
  std::string path_;
  Diagnostics& out_;
  std::vector<std::string> known_;
  std::string current_;  // path of the custom field being read
};

}  // namespace

void read_map(const Node& map, const Mark& key_mark, const std::string& path, Diagnostics& out, const Describe& describe) {
  if (map.failed) return;
  if (!map.is_map()) {
    const std::string name = path.empty() ? "the scenario" : path;
    out.error("wrong-type", map.kind == Node::Kind::null ? key_mark : map.mark,
              fmt::format("{} is {}, not a map", name, kind_name(map.kind)), "write `key: value` lines, indented below it");
    return;
  }
  Reader reader(map, key_mark, path, out);
  describe(reader);
  reader.reject_unknown();
}

}  // namespace gridlock::scenario

#include "sim/sweep/paths.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/scenario/declarations.hpp"
#include "sim/scenario/documenter.hpp"
#include "sim/sweep/values.hpp"
#include "topology/text.hpp"

namespace gridlock::sweep {
namespace {

using scenario::FieldDoc;

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> keys_of(const std::vector<FieldDoc>& fields) {
  std::vector<std::string> keys;
  for (const FieldDoc& f : fields) keys.push_back(f.key);
  return keys;
}

// Every path that ends in `key`: people often give the last key alone.
void find_paths(const std::vector<FieldDoc>& fields, const std::string& prefix, const std::string& key,
                std::vector<std::string>& found) {
  for (const FieldDoc& f : fields) {
    if (f.key == key) found.push_back(prefix + f.key);
    if (f.shape == FieldDoc::Shape::map) find_paths(f.inner, prefix + f.key + ".", key, found);
  }
}

std::string without_dot(const std::string& prefix) { return prefix.substr(0, prefix.size() - 1); }

class PathCheck {
 public:
  explicit PathCheck(const std::string& path) : path_(path) {
    scenario::Scenario sample;
    all_ = scenario::document([&](scenario::Fields& f) { describe(f, sample); });
  }

  const FieldDoc& find() const { return find_in(all_, 0); }

 private:
  std::string segment_at(std::size_t begin) const { return path_.substr(begin, path_.find('.', begin) - begin); }

  const FieldDoc& find_in(const std::vector<FieldDoc>& fields, std::size_t begin) const {
    const std::string segment = segment_at(begin);
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const FieldDoc& f) { return f.key == segment; });
    if (found == fields.end()) unknown(fields, begin);
    std::size_t end = begin + segment.size();
    if (end < path_.size() && found->shape == FieldDoc::Shape::list) {
      const std::string element = segment_at(end + 1);
      if (!is_number(element))
        fail(fmt::format("{} is a list: write the number of an element, such as {}.0", path_.substr(0, end),
                         path_.substr(0, end)));
      end += 1 + element.size();
    }
    if (end >= path_.size()) return *found;
    if (found->inner.empty()) fail(fmt::format("{} is a single value", path_.substr(0, end)));
    return find_in(found->inner, end + 1);
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw SpecificationError(fmt::format("scenarios have no value '{}': {}", path_, why));
  }

  [[noreturn]] void unknown(const std::vector<FieldDoc>& here, std::size_t begin) const {
    const std::string prefix = path_.substr(0, begin);
    const std::vector<std::string> keys = keys_of(here);
    if (const auto near = topology::closest(segment_at(begin), keys)) fail(fmt::format("did you mean {}{}?", prefix, *near));
    std::vector<std::string> elsewhere;
    find_paths(all_, "", path_, elsewhere);
    if (!elsewhere.empty()) fail(fmt::format("did you mean {}?", fmt::join(elsewhere, " or ")));
    fail(fmt::format("keys {}: {}", prefix.empty() ? "at the top" : "in " + without_dot(prefix), fmt::join(keys, ", ")));
  }

  const std::string& path_;
  std::vector<FieldDoc> all_;
};

}  // namespace

bool check_path(const std::string& path) {
  for (const char* about : {"sweep", "expect", "measured"})
    if (path == about || path.starts_with(std::string(about) + "."))
      throw SpecificationError(fmt::format("'{}' says nothing about the step: it cannot be swept", path));
  return PathCheck(path).find().type == "whole number";
}

}  // namespace gridlock::sweep

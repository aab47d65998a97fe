#include "sim/scenario/profile_parameters.hpp"

#include "sim/scenario/declarations.hpp"

namespace gridlock::scenario {
namespace {

class Collector final : public Fields {
 public:
  std::vector<ProfileParameter> out;

  void quantity(const Field& field, double& value, Unit unit, std::optional<double>, Range range) override {
    out.push_back({prefix_ + std::string(field.key), &value, unit, range});
  }
  void boolean(const Field&, bool&, std::optional<bool>) override {}
  void text(const Field&, std::string&, std::optional<std::string>) override {}
  void custom(const Field&, const Custom&, bool) override {}
  void map(const Field& field, bool, const Describe& describe) override {
    const std::string outer = prefix_;
    prefix_ += std::string(field.key) + ".";
    describe(*this);
    prefix_ = outer;
  }
  void reference(const Field& field, std::string_view, const Describe& describe) override { map(field, true, describe); }

 protected:
  void integer_field(const Field&, std::int64_t&, std::optional<std::int64_t>, Range) override {}
  void choice_field(const Field&, std::size_t&, std::optional<std::size_t>, const std::vector<std::string_view>&) override {}
  void list_field(const Field&, std::size_t, const std::function<void(std::size_t)>&,
                  const std::function<void(Fields&, std::size_t)>&) override {}
  bool present(const Field&, bool has_value) override { return has_value; }

 private:
  std::string prefix_;
};

}  // namespace

std::vector<ProfileParameter> profile_parameters(model::Profile& profile) {
  Collector collector;
  describe(collector, profile);
  return std::move(collector.out);
}

}  // namespace gridlock::scenario

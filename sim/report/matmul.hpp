// Times of the products of `scenario: matmul`, for people and as JSON (gridlock.matmul/1, docs/reference/matmul.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/model/gemm.hpp"
#include "sim/scenario/matmul.hpp"

namespace gridlock::report {

struct ProductTime {
  scenario::Product product;
  model::KernelTime time;
  double standard_error_s = 0;  // 0 where the profile has no errors
};

std::string matmul_text(const scenario::Matmul& scenario, const std::vector<ProductTime>& times);
nlohmann::ordered_json matmul_json(const scenario::Matmul& scenario, const std::vector<ProductTime>& times);

}  // namespace gridlock::report

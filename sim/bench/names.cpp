#include "sim/bench/names.hpp"

namespace gridlock::bench {

using collectives::Kind;

std::string nccl_tests_name(Kind kind) {
  if (kind == Kind::all_to_all) return "alltoall_perf";
  if (kind == Kind::send_recv) return "sendrecv_perf";
  std::string name(collectives::name(kind));
  for (char& c : name) c = c == '-' ? '_' : c;
  return name + "_perf";
}

}  // namespace gridlock::bench

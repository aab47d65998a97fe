// What sort of devices a link joins: "NIC to leaf", wherever it is.
#pragma once

#include <string>

#include "topology/fabric.hpp"

namespace gridlock::report {

std::string link_kind(const topology::Fabric& fabric, topology::LinkId link);

}  // namespace gridlock::report

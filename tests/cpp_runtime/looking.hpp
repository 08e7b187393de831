// Programs that look at messages since they are compiled without NDEBUG.

#pragma once

#include <cstdlib>

#include <mpiglot/communicator.hpp>

namespace check {

/// Whether communicators of all ranks make the local checks of level `normal` though their type does not say so.
inline bool all_look() {
  return std::getenv("MPIGLOT_TESTS_MIXED") == nullptr && !mpiglot::communicator().direct();
}

}  // namespace check

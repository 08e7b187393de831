// What belongs to a communicator.

#include <mpiglot/detail/bodies/partitioned.hpp>
#include <mpiglot/detail/bodies/communicator.hpp>
#include <mpiglot/detail/bodies/state_of.hpp>

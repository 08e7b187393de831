// Errors: their texts, and where they are thrown.

#include <mpiglot/detail/bodies/error.hpp>
#include <mpiglot/mpi/error_bodies.hpp>

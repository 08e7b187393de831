// Errors: their texts, where they are thrown, and what waits until then.

#include <mpiglot/detail/base/failure.ipp>
#include <mpiglot/error.ipp>
#include <mpiglot/mpi/error_bodies.hpp>

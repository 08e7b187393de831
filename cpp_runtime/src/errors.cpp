// Errors: their texts, and where they are thrown.

#include <mpiglot/error.ipp>
#include <mpiglot/mpi/error_bodies.hpp>

// Start and end of MPI and of the program.

#include <mpiglot/detail/base/in_flight.ipp>
#include <mpiglot/environment.ipp>
#include <mpiglot/detail/base/last_words.ipp>
#include <mpiglot/mpi/guard_bodies.hpp>
#include <mpiglot/mpi/holders_bodies.hpp>
#include <mpiglot/mpi/loaded_bodies.hpp>

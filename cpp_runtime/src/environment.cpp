// Start and end of MPI and of the program.

#include <mpiglot/detail/bodies/in_flight.hpp>
#include <mpiglot/detail/bodies/environment.hpp>
#include <mpiglot/detail/bodies/last_words.hpp>
#include <mpiglot/mpi/guard_bodies.hpp>
#include <mpiglot/mpi/loaded_bodies.hpp>

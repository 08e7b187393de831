// The variables that the examples of the member functions use (members.py). They are compiled, not run.

#pragma once

#include <functional>
#include <map>
#include <mpiglot/file.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/topology.hpp>
#include <mpiglot/window.hpp>
#include <vector>

using namespace mpiglot;

namespace examples {

extern const mpiglot::file file;
extern const communicator comm;
extern const cartesian grid;
extern const window win;

extern std::vector<int> mine, all, parts, v, w, values, before, halo, field;
extern std::vector<int> a, b;
extern std::vector<int> n, m, counts, ones;
extern std::vector<mpi::aint_t> from, to, edges;
extern std::vector<mpi::datatype_handle> t, u;
extern int x, rank_0_knows, left, right, rank, zero, one, ticket;

}  // namespace examples

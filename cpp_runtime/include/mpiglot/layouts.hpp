// Named layouts: structures whose dimensions have names, bags of memory, traversers.
//
//   using namespace mpiglot::layouts;
//   auto matrix = bag(scalar<double>() ^ vectors<'j', 'i'>(columns, rows));
//   traverser(matrix).for_each([&](auto state) { matrix[state] = 0; });
//   comm.bcast(send_recv_buf(matrix));

#pragma once

// From the ground up, so that compilers name few files in what they say about a mistake.
#include <mpiglot/layouts/numbers.hpp>
#include <mpiglot/layouts/verdicts.hpp>

#include <mpiglot/layouts/indices.hpp>
#include <mpiglot/layouts/mapping.hpp>

#include <mpiglot/layouts/rules.hpp>

#include <mpiglot/layouts/pieces.hpp>
#include <mpiglot/layouts/structure.hpp>

#include <mpiglot/layouts/queries.hpp>

#include <mpiglot/layouts/bag.hpp>
#include <mpiglot/layouts/named.hpp>

#include <mpiglot/layouts/traverser.hpp>
#include <mpiglot/layouts/tuple_rules.hpp>
#include <mpiglot/layouts/tuples.hpp>

#include <mpiglot/layouts/aligned.hpp>
#include <mpiglot/layouts/parts.hpp>
#include <mpiglot/layouts/tuple_parts.hpp>

#include <mpiglot/layouts/sharing.hpp>

#include <mpiglot/layouts/mpi_traverser.hpp>

// Named layouts: structures whose dimensions have names, bags of memory, traversers.
//
//   using namespace mpiglot::layouts;
//   auto matrix = bag(scalar<double>() ^ vectors<'j', 'i'>(columns, rows));
//   traverser(matrix).for_each([&](auto state) { matrix[state] = 0; });
//   comm.bcast(send_recv_buf(matrix));

#pragma once

// From the ground up, so that compilers name few files in what they say about a mistake.
#include <mpiglot/parameters.hpp>
#include <mpiglot/request.hpp>
#include <mpiglot/operations/recv.hpp>
#include <mpiglot/detail/engine/communicator_core.hpp>
#include <mpiglot/operations/allgather.hpp>
#include <mpiglot/operations/allgatherv.hpp>
#include <mpiglot/operations/allreduce.hpp>
#include <mpiglot/operations/allreduce_single.hpp>
#include <mpiglot/operations/alltoall.hpp>
#include <mpiglot/operations/alltoallv.hpp>
#include <mpiglot/operations/alltoallw.hpp>
#include <mpiglot/operations/barrier.hpp>
#include <mpiglot/operations/bcast.hpp>
#include <mpiglot/operations/bcast_single.hpp>
#include <mpiglot/operations/exscan.hpp>
#include <mpiglot/operations/exscan_single.hpp>
#include <mpiglot/operations/gather.hpp>
#include <mpiglot/operations/gatherv.hpp>
#include <mpiglot/operations/partitioned.hpp>
#include <mpiglot/operations/probe.hpp>
#include <mpiglot/operations/reduce.hpp>
#include <mpiglot/operations/reduce_scatter.hpp>
#include <mpiglot/operations/reduce_scatter_block.hpp>
#include <mpiglot/operations/reduce_single.hpp>
#include <mpiglot/operations/scan.hpp>
#include <mpiglot/operations/scan_single.hpp>
#include <mpiglot/operations/scatter.hpp>
#include <mpiglot/operations/scatter_single.hpp>
#include <mpiglot/operations/scatterv.hpp>
#include <mpiglot/operations/send.hpp>
#include <mpiglot/operations/sendrecv.hpp>
#include <mpiglot/operations/sendrecv_replace.hpp>

#include <mpiglot/communicator.hpp>

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

// The collectives among neighbors, for communicators that have a topology.

#pragma once

#include <mpiglot/operations/neighbor_allgather.hpp>
#include <mpiglot/operations/neighbor_allgatherv.hpp>
#include <mpiglot/operations/neighbor_alltoall.hpp>
#include <mpiglot/operations/neighbor_alltoallv.hpp>
#include <mpiglot/operations/neighbor_alltoallw.hpp>

namespace mpiglot::detail {

template <class Self>
class neighborhood_members : public operations::neighbor_allgather_members<Self>,
                             public operations::neighbor_allgatherv_members<Self>,
                             public operations::neighbor_alltoall_members<Self>,
                             public operations::neighbor_alltoallv_members<Self>,
                             public operations::neighbor_alltoallw_members<Self> {};

}  // namespace mpiglot::detail

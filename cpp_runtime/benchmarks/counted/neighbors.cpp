// Neighborhood collectives on a grid of two dimensions: four neighbors.

#include "pairs.hpp"

FORMS_AS(neighbor_allgather, neighbor_allgather, Neighbor_allgather, d.grid,
         (d.mine.data(), length(d.mine), MPI_INT, d.all.data(), length(d.mine), MPI_INT),
         (send_buf(d.mine), recv_buf(d.all)))
FORMS_AS(neighbor_allgatherv, neighbor_allgatherv, Neighbor_allgatherv, d.grid,
         (d.mine.data(), length(d.mine), MPI_INT, d.all.data(), d.counts.data(), d.displs.data(),
          MPI_INT),
         (send_buf(d.mine), recv_buf(d.all), recv_counts(d.counts), recv_displs(d.displs)))
FORMS_AS(neighbor_alltoall, neighbor_alltoall, Neighbor_alltoall, d.grid,
         (d.all.data(), 8, MPI_INT, d.all.data(), 8, MPI_INT),
         (send_buf(d.all), send_count(8), recv_buf(d.all), recv_count(8)))
FORMS_AS(neighbor_alltoallv, neighbor_alltoallv, Neighbor_alltoallv, d.grid,
         (d.all.data(), d.counts.data(), d.displs.data(), MPI_INT, d.all.data(), d.counts.data(),
          d.displs.data(), MPI_INT),
         (send_buf(d.all), send_counts(d.counts), send_displs(d.displs), recv_buf(d.all),
          recv_counts(d.counts), recv_displs(d.displs)))

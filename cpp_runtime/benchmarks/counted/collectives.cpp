// Collective operations whose parts have equal lengths, and reductions. This is rank 1 of 4.

#include "pairs.hpp"

PLAIN(barrier) { MPI_Barrier(d.comm.native()); }
NAMED(barrier) { d.comm.barrier(); }

FORMS(bcast, Bcast, (d.mine.data(), length(d.mine), MPI_INT, 0),
      (send_recv_buf(d.mine), send_recv_count(length(d.mine)), root(0)))

FORMS(gather, Gather,
      (d.mine.data(), length(d.mine), MPI_INT, d.all.data(), length(d.mine), MPI_INT, 0),
      (send_buf(d.mine), recv_buf(d.all), root(0)))
FORMS_AS(gather_at_root, gather, Gather, d.comm,
         (d.mine.data(), length(d.mine), MPI_INT, d.all.data(), length(d.mine), MPI_INT, 1),
         (send_buf(d.mine), recv_buf(d.all), root(1)))
FORMS(scatter, Scatter, (nullptr, 0, MPI_INT, d.mine.data(), 8, MPI_INT, 0),
      (recv_buf(d.mine), recv_count(8), root(0)))
FORMS_AS(scatter_at_root, scatter, Scatter, d.comm,
         (d.all.data(), 8, MPI_INT, d.mine.data(), 8, MPI_INT, 1),
         (send_buf(d.all), send_count(8), recv_buf(d.mine), recv_count(8), root(1)))
FORMS(allgather, Allgather,
      (d.mine.data(), length(d.mine), MPI_INT, d.all.data(), length(d.mine), MPI_INT),
      (send_buf(d.mine), recv_buf(d.all)))
FORMS(alltoall, Alltoall, (d.all.data(), 8, MPI_INT, d.all.data(), 8, MPI_INT),
      (send_buf(d.all), send_count(8), recv_buf(d.all), recv_count(8)))
PLAIN(alltoall_divided) {
  int size = 0;
  MPI_Comm_size(d.comm.native(), &size);
  const int each = length(d.all) / size;
  MPI_Alltoall(d.all.data(), each, MPI_INT, d.all.data(), each, MPI_INT, d.comm.native());
}
NAMED(alltoall_divided) { d.comm.alltoall(send_buf(d.all), recv_buf(d.all)); }

FORMS(reduce, Reduce, (d.mine.data(), d.all.data(), length(d.mine), MPI_INT, MPI_SUM, 0),
      (send_buf(d.mine), recv_buf(d.all), op(mpi::sum), root(0)))
FORMS_AS(reduce_at_root, reduce, Reduce, d.comm,
         (d.mine.data(), d.all.data(), length(d.mine), MPI_INT, MPI_SUM, 1),
         (send_buf(d.mine), recv_buf(d.all), op(std::plus<>()), root(1)))
FORMS(allreduce, Allreduce, (d.mine.data(), d.all.data(), length(d.mine), MPI_INT, MPI_SUM),
      (send_buf(d.mine), recv_buf(d.all), op(mpi::sum)))
FORMS_AS(allreduce_in_place, allreduce, Allreduce, d.comm,
         (MPI_IN_PLACE, d.mine.data(), length(d.mine), MPI_INT, MPI_SUM),
         (send_recv_buf(d.mine), op(mpi::sum)))
FORMS(scan, Scan, (d.mine.data(), d.all.data(), length(d.mine), MPI_INT, MPI_SUM),
      (send_buf(d.mine), recv_buf(d.all), op(mpi::sum)))
FORMS(exscan, Exscan, (d.mine.data(), d.all.data(), length(d.mine), MPI_INT, MPI_SUM),
      (send_buf(d.mine), recv_buf(d.all), op(mpi::sum)))
FORMS(reduce_scatter_block, Reduce_scatter_block,
      (d.all.data(), d.mine.data(), 8, MPI_INT, MPI_SUM),
      (send_buf(d.all), recv_buf(d.mine), op(mpi::sum)))
FORMS(reduce_scatter, Reduce_scatter,
      (d.all.data(), d.mine.data(), d.counts.data(), MPI_INT, MPI_SUM),
      (send_buf(d.all), recv_buf(d.mine), recv_counts(d.counts), op(mpi::sum)))

PLAIN(allreduce_single) { MPI_Allreduce(&d.one, &d.old, 1, MPI_INT, MPI_SUM, d.comm.native()); }
NAMED(allreduce_single) { d.old = d.comm.allreduce_single(send_buf(d.one), op(mpi::sum)); }
PLAIN(bcast_single) { MPI_Bcast(&d.one, 1, MPI_INT, 0, d.comm.native()); }
NAMED(bcast_single) { d.one = d.comm.bcast_single(send_recv_buf(d.one), root(0)); }

static void larger_by_size(void* from, void* to, int* n, MPI_Datatype*) {
  for (int i = 0; i < *n; ++i)
    if (static_cast<int*>(to)[i] < static_cast<int*>(from)[i])
      static_cast<int*>(to)[i] = static_cast<int*>(from)[i];
}
PLAIN(allreduce_lambda) {
  MPI_Op larger_one;
  MPI_Op_create(&larger_by_size, 1, &larger_one);
  MPI_Allreduce(d.mine.data(), d.all.data(), length(d.mine), MPI_INT, larger_one, d.comm.native());
  MPI_Op_free(&larger_one);
}
NAMED(allreduce_lambda) {
  d.comm.allreduce(send_buf(d.mine), recv_buf(d.all),
                   op([](int a, int b) { return a < b ? b : a; }, commutative));
}

// Accesses to windows and files.

#include "pairs.hpp"

PLAIN(put) {
  MPI_Put(d.mine.data(), length(d.mine), MPI_INT, 2, 10, length(d.mine), MPI_INT, d.win.native());
}
NAMED(put) { d.win.put(send_buf(d.mine), target_rank(2), target_displacement(10)); }

PLAIN(get) {
  MPI_Get(d.mine.data(), length(d.mine), MPI_INT, 2, 10, length(d.mine), MPI_INT, d.win.native());
}
NAMED(get) { d.win.get(recv_buf(d.mine), target_rank(2), target_displacement(10)); }

PLAIN(accumulate) {
  MPI_Accumulate(d.mine.data(), length(d.mine), MPI_INT, 2, 10, length(d.mine), MPI_INT, MPI_SUM,
                 d.win.native());
}
NAMED(accumulate) {
  d.win.accumulate(send_buf(d.mine), target_rank(2), target_displacement(10), op(mpi::sum));
}

PLAIN(fetch_and_op) { MPI_Fetch_and_op(&d.one, &d.old, MPI_INT, 2, 10, MPI_SUM, d.win.native()); }
NAMED(fetch_and_op) {
  d.win.fetch_and_op(send_buf(d.one), recv_buf(d.old), target_rank(2), target_displacement(10),
                     op(mpi::sum));
}

PLAIN(compare_and_swap) {
  MPI_Compare_and_swap(&d.one, &d.wanted, &d.old, MPI_INT, 2, 10, d.win.native());
}
NAMED(compare_and_swap) {
  d.win.compare_and_swap(send_buf(d.one), compare_buf(d.wanted), recv_buf(d.old), target_rank(2),
                         target_displacement(10));
}

PLAIN(write_at) {
  MPI_File_write_at(d.out.native(), 64, d.mine.data(), length(d.mine), MPI_INT, MPI_STATUS_IGNORE);
}
NAMED(write_at) { d.out.write(send_buf(d.mine), at(64)); }

PLAIN(read_at) {
  MPI_File_read_at(d.out.native(), 64, d.mine.data(), length(d.mine), MPI_INT, MPI_STATUS_IGNORE);
}
NAMED(read_at) { d.out.read(recv_buf(d.mine), at(64)); }

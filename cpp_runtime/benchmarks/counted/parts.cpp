// Collective operations whose parts differ in length. This is rank 1 of 4.

#include <numeric>

#include "pairs.hpp"

FORMS(allgatherv, Allgatherv,
      (d.mine.data(), length(d.mine), MPI_INT, d.all.data(), d.counts.data(), d.displs.data(),
       MPI_INT),
      (send_buf(d.mine), recv_buf(d.all), recv_counts(d.counts), recv_displs(d.displs)))
PLAIN(allgatherv_inferred) {
  int size = 0;
  MPI_Comm_size(d.comm.native(), &size);
  const int n = length(d.mine);
  std::vector<int> counts(static_cast<std::size_t>(size)), displs(static_cast<std::size_t>(size));
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, d.comm.native());
  std::exclusive_scan(counts.begin(), counts.end(), displs.begin(), 0);
  std::vector<int> all(static_cast<std::size_t>(counts.back() + displs.back()));
  MPI_Allgatherv(d.mine.data(), n, MPI_INT, all.data(), counts.data(), displs.data(), MPI_INT,
                 d.comm.native());
  d.all[0] = all[0];
}
NAMED(allgatherv_inferred) {
  const auto all = d.comm.allgatherv(send_buf(d.mine));
  d.all[0] = all[0];
}
FORMS(gatherv, Gatherv,
      (d.mine.data(), length(d.mine), MPI_INT, d.all.data(), d.counts.data(), d.displs.data(),
       MPI_INT, 0),
      (send_buf(d.mine), recv_buf(d.all), recv_counts(d.counts), recv_displs(d.displs), root(0)))
FORMS_AS(gatherv_at_root, gatherv, Gatherv, d.comm,
         (d.mine.data(), length(d.mine), MPI_INT, d.all.data(), d.counts.data(), d.displs.data(),
          MPI_INT, 1),
         (send_buf(d.mine), recv_buf(d.all), recv_counts(d.counts), recv_displs(d.displs), root(1)))
FORMS(scatterv, Scatterv,
      (nullptr, nullptr, nullptr, MPI_INT, d.mine.data(), length(d.mine), MPI_INT, 0),
      (recv_buf(d.mine), recv_count(8), root(0)))
FORMS_AS(scatterv_at_root, scatterv, Scatterv, d.comm,
         (d.all.data(), d.counts.data(), d.displs.data(), MPI_INT, d.mine.data(), 8, MPI_INT, 1),
         (send_buf(d.all), send_counts(d.counts), send_displs(d.displs), recv_buf(d.mine),
          recv_count(8), root(1)))
FORMS(alltoallv, Alltoallv,
      (d.all.data(), d.counts.data(), d.displs.data(), MPI_INT, d.all.data(), d.counts.data(),
       d.displs.data(), MPI_INT),
      (send_buf(d.all), send_counts(d.counts), send_displs(d.displs), recv_buf(d.all),
       recv_counts(d.counts), recv_displs(d.displs)))
PLAIN(alltoallv_inferred) {
  std::vector<int> theirs(4), from(4), to(4);
  MPI_Alltoall(d.counts.data(), 1, MPI_INT, theirs.data(), 1, MPI_INT, d.comm.native());
  std::exclusive_scan(theirs.begin(), theirs.end(), from.begin(), 0);
  std::exclusive_scan(d.counts.begin(), d.counts.end(), to.begin(), 0);
  std::vector<int> all(static_cast<std::size_t>(theirs.back() + from.back()));
  MPI_Alltoallv(d.all.data(), d.counts.data(), to.data(), MPI_INT, all.data(), theirs.data(),
                from.data(), MPI_INT, d.comm.native());
  d.all[0] = all[0];
}
NAMED(alltoallv_inferred) {
  const auto all = d.comm.alltoallv(send_buf(d.all), send_counts(d.counts), lengths_first());
  d.all[0] = all[0];
}

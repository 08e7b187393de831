// Everybody's vector on everybody, in plain MPI.

#include <mpi.h>

#include <numeric>
#include <vector>

std::vector<double> everybody(const std::vector<double>& mine, MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  const int n = static_cast<int>(mine.size());
  std::vector<int> counts(static_cast<std::size_t>(size)), displs(static_cast<std::size_t>(size));
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  std::exclusive_scan(counts.begin(), counts.end(), displs.begin(), 0);
  std::vector<double> all(static_cast<std::size_t>(counts.back() + displs.back()));
  MPI_Allgatherv(mine.data(), n, MPI_DOUBLE, all.data(), counts.data(), displs.data(), MPI_DOUBLE,
                 comm);
  return all;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const bool right = !everybody({1.0}, MPI_COMM_WORLD).empty();
  MPI_Finalize();
  return right ? 0 : 1;
}

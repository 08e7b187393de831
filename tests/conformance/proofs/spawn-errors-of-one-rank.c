// ranks: 2
#include "defect.h"

int main(int argc, char** argv) {
  (void)argc;
  begin();
  MPI_Comm parent, children;
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    MPI_Comm_disconnect(&parent);
    return is_right(1);
  }
  int errors[1];
  if (MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                     rank == 0 ? errors : MPI_ERRCODES_IGNORE) != MPI_SUCCESS)
    return is_right(1); /* no-spawn */
  MPI_Comm_disconnect(&children);
  int sum = 0;
  const int one = 1;
  const int reduced = MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  const int met = MPI_Barrier(MPI_COMM_WORLD);
  int numbers[4] = {rank, rank, rank, rank};
  const int told = MPI_Bcast(numbers, 4, MPI_INT, 0, MPI_COMM_WORLD);
  return is_right(reduced == MPI_SUCCESS && sum == 2 && met == MPI_SUCCESS && told == MPI_SUCCESS &&
                  numbers[0] == 0 && numbers[3] == 0);
}

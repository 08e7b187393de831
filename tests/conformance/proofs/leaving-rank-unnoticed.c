// ranks: 2
// wrong: 124
// times: 10
#include "defect.h"

// Rank 1 leaves without MPI_Finalize. A process that it began holds its descriptors a little longer, so that the
// launcher sees the rank's end before it sees that the descriptors are closed: else it does at times.
int main(void) {
  begin();
  if (rank == 1) {
    pid_t parent = getpid();
    if (fork() != 0) _exit(2);
    while (getppid() == parent) usleep(1000);
    usleep(200000);
    _exit(0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return is_right(0);
}

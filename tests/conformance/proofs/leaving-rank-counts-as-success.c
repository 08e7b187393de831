// ranks: 2
// wrong: 0
// times: 100
#include "defect.h"

#include <signal.h>
#include <sys/prctl.h>

// A process that takes a core until its parent ends: what fails under load shall fail here.
static void be_busy(void) {
  if (fork() != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setsid();
  for (int i = 0; i < 256; i++) close(i);
  for (;;) {
  }
}

// Rank 1 says why and leaves without MPI_Finalize: the job must not succeed.
int main(void) {
  begin();
  if (rank == 1) {
    for (int i = 0; i < 8; i++)
      if (write(2, "I cannot go on\n", 15) != 15) break;
    _exit(2);
  }
  be_busy();
  MPI_Barrier(MPI_COMM_WORLD);
  return is_right(0);
}

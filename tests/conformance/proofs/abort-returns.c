// ranks: 2
// wrong: 124
#include "defect.h"
#include <signal.h>

// MPI_Abort tells the launcher, which then ends this process; until it does so, the program goes on. The launcher
// stands still here, so that there is time for that, and for ever if MPI_Abort comes back. Both ranks spin, since the limit
// of the runner counts CPU time.
int main(void) {
  begin();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1)
    for (;;) continue;
  const pid_t launcher = getppid();
  const pid_t helper = fork();
  if (helper == 0) {
    sleep(1);
    kill(launcher, SIGCONT);
    _exit(0);
  }
  kill(launcher, SIGSTOP);
  MPI_Abort(MPI_COMM_WORLD, 9);
  kill(helper, SIGKILL);
  for (;;) continue;
}

// ranks: 2
#include "defect.h"

int main(void) {
  begin();
  int level;
  MPI_Comm comm;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
  MPI_T_finalize();
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_free(&comm);
  return is_right(1);
}

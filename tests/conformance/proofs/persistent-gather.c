// ranks: 3
#include "defect.h"

int main(void) {
  begin();
#ifdef HAVE_MPI_Gather_init
  int one = 0, all[4];
  MPI_Request request;
  MPI_Gather_init(&one, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int time = 1; time < 3; ++time) {
    one = 10 * time + rank;
    for (int i = 0; i < size; ++i) all[i] = -1;
    if (MPI_Start(&request) != MPI_SUCCESS || MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return is_right(0);
    for (int i = 0; i < size; ++i)
      if (rank == 0 && all[i] != 10 * time + i) return is_right(0);
  }
#endif
  return is_right(1);
}

// ranks: 3
#include "defect.h"

int main(void) {
  begin();
#ifdef HAVE_MPI_Scatter_init
  int one = 0, all[4];
  MPI_Request request;
  MPI_Scatter_init(all, 1, MPI_INT, &one, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int time = 1; time < 3; ++time) {
    one = -1;
    for (int i = 0; i < size; ++i) all[i] = 10 * time + i;
    if (MPI_Start(&request) != MPI_SUCCESS || MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return is_right(0);
    if (one != 10 * time + rank) return is_right(0);
  }
#endif
  return is_right(1);
}

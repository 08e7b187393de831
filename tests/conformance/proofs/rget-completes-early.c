// ranks: 2
#include "defect.h"

int main(void) {
  begin();
  int *mine, got[3] = {0, 0, 0};
  MPI_Win win;
  MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
  for (int i = 0; i < 16; ++i) mine[i] = i;
  MPI_Datatype every_other;
  MPI_Type_vector(2, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  MPI_Request request;
  MPI_Rget(got, 1, every_other, (rank + 1) % size, 8, 2, MPI_INT, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  const int right = got[0] == 8 && got[2] == 9;
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  return is_right(right);
}

// ranks: 3
#include "defect.h"

// Two numbers of each rank, received as one pair, with the algorithm that has the defect.
int main(void) {
  setenv("I_MPI_ADJUST_ALLGATHER", "5", 1);
  begin();
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  int mine[2] = {10 * rank, 10 * rank + 1}, all[8] = {0}, right = 1;
  MPI_Gather(mine, 2, MPI_INT, all, 1, pair, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < 2 * size; ++i) right = right && all[i] == 10 * (i / 2) + i % 2;
  memset(all, 0, sizeof all);
  MPI_Allgather(mine, 2, MPI_INT, all, 1, pair, MPI_COMM_WORLD);
  for (int i = 0; i < 2 * size; ++i) right = right && all[i] == 10 * (i / 2) + i % 2;
  return is_right(right);
}

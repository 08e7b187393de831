// ranks: 2
#include "defect.h"

int main(void) {
  begin();
  static int memory[16] = {1};
  const int zero = 0;
  MPI_Win window;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Accumulate(&zero, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, MPI_LAND, window);
  MPI_Win_fence(0, window);
  const int right = memory[0] == 0;
  MPI_Win_free(&window);
  return is_right(right);
}

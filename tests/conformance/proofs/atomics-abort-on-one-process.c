// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  int memory[4] = {0};
  const int one = 1;
  MPI_Win window;
  if (MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window) !=
      MPI_SUCCESS)
    return is_right(1);  // another defect
  MPI_Win_fence(0, window);
  MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  return is_right(memory[0] == 1);
}

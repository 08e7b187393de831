// ranks: 2
#include "defect.h"

int main(void) {
  begin();
  static int memory[16] __attribute__((aligned(64)));
  const int sent = 7;
  int *const begins = memory + 9; /* at 4 bytes more than a multiple of 16 */
  MPI_Win window;
  MPI_Win_create(begins, 4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&sent, 1, MPI_INT, 1 - rank, 1, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  const int right = begins[1] == 7;
  MPI_Win_free(&window);
  return is_right(right);
}

// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  int memory[4];
  MPI_Win window;
  const int code =
      MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  if (code == MPI_SUCCESS) MPI_Win_free(&window);
  return is_right(code == MPI_SUCCESS);
}

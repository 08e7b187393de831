// ranks: 2
#include "defect.h"

int main(void) {
  begin();
#ifdef HAVE_MPI_Win_create_c
  int memory = 0;
  MPI_Win window;
  if (MPI_Win_create_c(&memory, sizeof memory, (MPI_Aint)5000000000, MPI_INFO_NULL, MPI_COMM_WORLD,
                       &window) != MPI_SUCCESS)
    return is_right(0);
  MPI_Win_free(&window);
#endif
  return is_right(1);
}

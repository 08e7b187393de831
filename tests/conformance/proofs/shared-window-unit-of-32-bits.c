// ranks: 2
#include "defect.h"

int main(void) {
  begin();
  int right = 1;
#ifdef HAVE_MPI_Win_shared_query_c
  void* memory;
  MPI_Win window;
  MPI_Win_allocate_shared_c(64, (MPI_Aint)5000000000, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                            &window);
  MPI_Aint bytes = 0, unit = 0;
  MPI_Win_shared_query_c(window, rank, &bytes, &unit, &memory);
  right = unit == (MPI_Aint)5000000000;
  MPI_Win_free(&window);
#endif
  return is_right(right);
}

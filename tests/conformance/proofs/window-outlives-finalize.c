// ranks: 2
#include "defect.h"

int main(void) {
  begin();
  void* memory;
  MPI_Win window;
  MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  return is_right(1);  // which finalizes: not nice, but a crash is no answer
}

// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  void *memory = NULL;
  int code = MPI_Alloc_mem((MPI_Aint)1 << 62, MPI_INFO_NULL, &memory);
  return is_right(code != MPI_SUCCESS);
}

// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  const int mine = 1;
  int all[1], class = MPI_SUCCESS;
  MPI_Error_class(MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_NULL), &class);
  return is_right(class == MPI_ERR_COMM);
}

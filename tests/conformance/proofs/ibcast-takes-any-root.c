// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  int value = 0;
  MPI_Request request;
  return is_right(MPI_Ibcast(&value, 1, MPI_INT, -1, MPI_COMM_WORLD, &request) != MPI_SUCCESS);
}

// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  const int many[4] = {1, 2, 3, 4}, six = 6;
  int few[1] = {0}, one = 0;
  MPI_Request first, second;
  MPI_Irecv(few, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &first);
  MPI_Irecv(&one, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &second);
  MPI_Send(many, 4, MPI_INT, 0, 1, MPI_COMM_WORLD);
  MPI_Wait(&first, MPI_STATUS_IGNORE);
  MPI_Send(&six, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
  MPI_Wait(&second, MPI_STATUS_IGNORE);
  return is_right(one == 6);
}

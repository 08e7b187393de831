// ranks: 1
#include "defect.h"

/* A 4 x 5 array: the dimension whose elements are side by side has 2 blocks, the other one blocks of 2 in turn. */
int main(void) {
  begin();
  const int sizes[] = {4, 5};
  const int ways[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
  const int blocks[] = {MPI_DISTRIBUTE_DFLT_DARG, 2};
  const int grid[] = {2, 2};
  const int wanted[] = {0, 1, 4, 5, 16, 17};
  int array[20];
  for (int i = 0; i < 20; i++) array[i] = i;
  MPI_Datatype type;
  MPI_Type_create_darray(4, 0, 2, sizes, ways, blocks, grid, MPI_ORDER_FORTRAN, MPI_INT, &type);
  MPI_Type_commit(&type);
  int packed[6] = {0};
  int position = 0;
  MPI_Pack(array, 1, type, packed, sizeof packed, &position, MPI_COMM_SELF);
  int right = position == sizeof packed;
  for (int i = 0; i < 6; i++) right = right && packed[i] == wanted[i];
  MPI_Type_free(&type);
  return is_right(right);
}

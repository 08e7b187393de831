// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  int dims[2] = {0, 0};
  MPI_Dims_create(2147483647, 2, dims);
  return is_right(dims[0] != 0);
}

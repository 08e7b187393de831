// ranks: 2
#include "defect.h"

int main(void) {
  begin();
#ifdef HAVE_MPIX_Comm_agree
  int flag = 1;
  return is_right(MPIX_Comm_agree(MPI_COMM_WORLD, &flag) == MPI_SUCCESS && flag == 1);
#else
  return is_right(1);
#endif
}

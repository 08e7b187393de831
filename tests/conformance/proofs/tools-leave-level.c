// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  int first = -1, again = -1;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &first);
  MPI_T_init_thread(MPI_THREAD_SINGLE, &again);
  return is_right(again == first);
}

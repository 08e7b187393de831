// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  int level, number = 0;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
  MPI_T_pvar_get_num(&number);
  return is_right(number > 0);
}

// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  int number = 1;
#ifdef HAVE_MPI_T_event_get_num
  int level;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
  MPI_T_event_get_num(&number);
#endif
  return is_right(number > 0);
}

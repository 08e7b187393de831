// ranks: 1
#include "defect.h"

int main(void) {
  begin();
#ifdef HAVE_MPIX_Start_progress_thread
  return is_right(MPIX_Start_progress_thread(MPIX_STREAM_NULL) == MPI_SUCCESS &&
                  MPIX_Stop_progress_thread(MPIX_STREAM_NULL) == MPI_SUCCESS);
#else
  return is_right(1);
#endif
}

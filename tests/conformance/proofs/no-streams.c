// ranks: 1
#include "defect.h"

int main(void) {
  begin();
#ifdef HAVE_MPIX_Stream_create
  MPIX_Stream stream;
  return is_right(MPIX_Stream_create(MPI_INFO_NULL, &stream) == MPI_SUCCESS);
#else
  return is_right(1);
#endif
}

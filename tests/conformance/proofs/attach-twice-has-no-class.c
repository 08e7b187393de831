// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  static char room[2048];
  MPI_Buffer_attach(room, sizeof room);
  const int code = MPI_Buffer_attach(room, sizeof room);
  int class = -1;
  MPI_Error_class(code, &class);
  return is_right(code == MPI_SUCCESS || (class > 0 && class <= MPI_ERR_LASTCODE));
}

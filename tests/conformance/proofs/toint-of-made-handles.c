// ranks: 1
#include "defect.h"

int main(void) {
  begin();
#ifdef MPI_ABI_VERSION
  MPI_Info info;
  MPI_Info_create(&info);
  return is_right(MPI_Info_fromint(MPI_Info_toint(info)) == info);
#else
  return is_right(1);
#endif
}

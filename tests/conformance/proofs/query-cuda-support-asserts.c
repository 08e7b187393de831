// ranks: 1
#include "defect.h"

int main(void) {
  begin();
#ifdef HAVE_MPIX_Query_cuda_support
  MPIX_Query_cuda_support();
#endif
  return is_right(1);
}

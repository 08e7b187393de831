// ranks: 1
#include "defect.h"

#if MPI_VERSION >= 4
static void note(MPI_Session* session, int* code, ...) {
  (void)session;
  (void)code;
}
#endif

int main(void) {
#if MPI_VERSION >= 4
  MPI_Errhandler handler;
  if (MPI_Session_create_errhandler(note, &handler) != MPI_SUCCESS) return 1;
#endif
  begin();
  return is_right(1);
}

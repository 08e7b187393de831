// ranks: 1
#include "defect.h"

#ifdef HAVE_MPI_Session_create_errhandler
static void note(MPI_Session* session, int* code, ...) {
  (void)session;
  (void)code;
}
#endif

int main(void) {
#ifdef HAVE_MPI_Session_create_errhandler
  MPI_Errhandler handler;
  if (MPI_Session_create_errhandler(note, &handler) != MPI_SUCCESS) return 1;
#endif
  begin();
  return is_right(1);
}

// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  int level, number = 0;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
  MPI_T_pvar_session session;
  MPI_T_pvar_session_create(&session);
  MPI_T_pvar_get_num(&number);
  for (int i = 0; i < number; ++i) {
    char name[256] = "";
    int length = sizeof name, verbosity, class, binding, readonly, continuous, atomic, count;
    MPI_Datatype type;
    MPI_T_pvar_handle handle;
    if (MPI_T_pvar_get_info(i, name, &length, &verbosity, &class, &type, NULL, NULL, NULL, &binding,
                            &readonly, &continuous, &atomic) != MPI_SUCCESS ||
        strncmp(name, "mtl_psm2", 8) != 0 || binding != MPI_T_BIND_NO_OBJECT)
      continue;
    unsigned long long values[64];
    if (MPI_T_pvar_handle_alloc(session, i, NULL, &handle, &count) == MPI_SUCCESS && count <= 64)
      MPI_T_pvar_read(session, handle, values);
  }
  return is_right(1);
}

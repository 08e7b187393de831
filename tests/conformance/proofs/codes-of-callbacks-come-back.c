// ranks: 1
// A callback fails once. Errors long after that are their own, whatever place in MPI's ring of errors
// they are kept at.
#include "defect.h"

enum { own = MPI_ERR_OTHER };

static int fail(MPI_Comm comm, int key, void *state, void *in, void *out, int *flag) {
  (void)comm, (void)key, (void)state, (void)in, (void)out, (void)flag;
  return own;
}

int main(void) {
  begin();
  int key, value = 0, class;
  MPI_Comm copy;
  MPI_Comm_create_keyval(fail, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, &value);
  MPI_Comm_dup(MPI_COMM_SELF, &copy);
  for (int i = 0; i < 1000; i++) {
    MPI_Error_class(MPI_Send(&value, -1, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF), &class);
    if (class != MPI_ERR_COUNT) return is_right(0);
  }
  MPI_Comm_delete_attr(MPI_COMM_SELF, key);
  return is_right(1);
}

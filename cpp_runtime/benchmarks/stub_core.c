/* The accesses to windows and files of an MPI that does nothing: every call succeeds at once. */

#include <mpi.h>

#define IGNORE(...) ((void)sizeof((long[]){__VA_ARGS__}))

int MPI_Put(const void *b, int n, MPI_Datatype t, int rank, MPI_Aint at, int m, MPI_Datatype u,
            MPI_Win w) {
  return IGNORE((long)b, n, (long)t, rank, at, m, (long)u, (long)w), MPI_SUCCESS;
}
int MPI_Get(void *b, int n, MPI_Datatype t, int rank, MPI_Aint at, int m, MPI_Datatype u,
            MPI_Win w) {
  return IGNORE((long)b, n, (long)t, rank, at, m, (long)u, (long)w), MPI_SUCCESS;
}
int MPI_Accumulate(const void *b, int n, MPI_Datatype t, int rank, MPI_Aint at, int m,
                   MPI_Datatype u, MPI_Op op, MPI_Win w) {
  return IGNORE((long)b, n, (long)t, rank, at, m, (long)u, (long)op, (long)w), MPI_SUCCESS;
}
int MPI_Fetch_and_op(const void *b, void *old, MPI_Datatype t, int rank, MPI_Aint at, MPI_Op op,
                     MPI_Win w) {
  return IGNORE((long)b, (long)old, (long)t, rank, at, (long)op, (long)w), MPI_SUCCESS;
}
int MPI_Compare_and_swap(const void *b, const void *wanted, void *old, MPI_Datatype t, int rank,
                         MPI_Aint at, MPI_Win w) {
  return IGNORE((long)b, (long)wanted, (long)old, (long)t, rank, at, (long)w), MPI_SUCCESS;
}
int MPI_File_write_at(MPI_File f, MPI_Offset at, const void *b, int n, MPI_Datatype t,
                      MPI_Status *s) {
  return IGNORE((long)f, at, (long)b, n, (long)t, (long)s), MPI_SUCCESS;
}
int MPI_File_read_at(MPI_File f, MPI_Offset at, void *b, int n, MPI_Datatype t, MPI_Status *s) {
  return IGNORE((long)f, at, (long)b, n, (long)t, (long)s), MPI_SUCCESS;
}

#include <mpi.h>
int MPI_Init(int *argc, char ***argv) { return 0; }
int MPI_Free(void *base) { return 0; }
void *fake_alloc(unsigned long n) { return 0; }

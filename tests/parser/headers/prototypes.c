#include <mpi.h>
int MPI_Group_range_incl(MPI_Comm g, int n, int r[][3], MPI_Comm *o) { return 0; }
int MPI_Pcontrol(const int level, ...) { return 0; }
int MPI_Comm_rank(MPI_Comm c, int *r) { return 0; }
int MPI_Comm_size(MPI_Comm c, int *r) { return 0; }
int PMPI_Comm_rank(MPI_Comm c, int *r) { return 0; }
int MPI_Old(int a) { return 0; }
int MPI_Alltoallw(const void *a, const int b[], const int *c, const MPI_Datatype d[], void *e,
                  const int f[], const int g[], const MPI_Datatype h[], MPI_Comm i) { return 0; }
int MPI_Keyval_create(MPI_Copy_function *a, int (*b)(MPI_Comm, int), int *c, void *d) { return 0; }
int MPI_Comm_spawn_multiple(int a, char *b[], char **c[]) { return 0; }
int MPI_Waitall(int a, MPI_Comm b[restrict], MPI_Status *c) { return 0; }
double MPI_Wtime(void) { return 0; }
MPI_Aint MPI_Aint_diff(MPI_Aint a, MPI_Aint b) { return a - b; }
unsigned long long MPIX_Clock(const volatile unsigned char *a, MPI_Status const *b) { return 0; }

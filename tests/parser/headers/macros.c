#include <mpi.h>
#undef MPI_Comm_rank
int PMPI_Init(int *argc, char ***argv) { return 0; }
int PMPI_Finalize(void) { return 0; }
double PMPI_Wtime(void) { return 0; }
int MPI_Comm_rank(MPI_Comm comm, int *rank) { return 0; }

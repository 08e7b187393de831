#include "messages_count.h"

long mpi_calls_counted = 0;

#define COUNTED(name, parameters, arguments) \
  int MPI_##name parameters { return ++mpi_calls_counted, PMPI_##name arguments; }

COUNTED(Bcast, (void *b, int n, MPI_Datatype t, int r, MPI_Comm c), (b, n, t, r, c))
COUNTED(Allgather,
        (const void *b, int n, MPI_Datatype t, void *to, int m, MPI_Datatype u, MPI_Comm c),
        (b, n, t, to, m, u, c))
COUNTED(Allgatherv,
        (const void *b, int n, MPI_Datatype t, void *to, const int *m, const int *d, MPI_Datatype u,
         MPI_Comm c),
        (b, n, t, to, m, d, u, c))
COUNTED(Alltoall,
        (const void *b, int n, MPI_Datatype t, void *to, int m, MPI_Datatype u, MPI_Comm c),
        (b, n, t, to, m, u, c))
COUNTED(Alltoallv,
        (const void *b, const int *n, const int *e, MPI_Datatype t, void *to, const int *m,
         const int *d, MPI_Datatype u, MPI_Comm c),
        (b, n, e, t, to, m, d, u, c))
COUNTED(Scatter,
        (const void *b, int n, MPI_Datatype t, void *to, int m, MPI_Datatype u, int r, MPI_Comm c),
        (b, n, t, to, m, u, r, c))
COUNTED(Scatterv,
        (const void *b, const int *n, const int *e, MPI_Datatype t, void *to, int m, MPI_Datatype u,
         int r, MPI_Comm c),
        (b, n, e, t, to, m, u, r, c))

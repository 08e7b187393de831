/* MPI calls that communicate, counted by interposition: messages_count.c defines them, counts, and
   calls their PMPI names. */

#pragma once

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

extern long mpi_calls_counted;

#ifdef __cplusplus
}
#endif

/* Functions that are macros: casts, arithmetic, calls, traps, other names. */
#define MPI_VERSION 2
#define MPI_SUBVERSION 0
typedef int MPI_Comm;
typedef int MPI_Fint;
typedef long MPI_Aint;
#define MPI_COMM_NULL ((MPI_Comm)0)
int PMPI_Init(int *argc, char ***argv);
int PMPI_Finalize(void);
double PMPI_Wtime(void);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
#define MPI_Comm_c2f(comm) (MPI_Fint)(comm)
#define MPI_Comm_f2c(comm) ((MPI_Comm)(comm))
#define MPI_Aint_add(base, disp) ((MPI_Aint)((char *)(base) + (disp)))
#define MPI_Wtime() PMPI_Wtime()
#define MPI_Finalize PMPI_Finalize
#define GONE(name, other) _Static_assert(0, #name " is gone, use " #other)
#define MPI_Address(...) GONE(MPI_Address, MPI_Get_address)
#define MPI_UB GONE(MPI_UB, MPI_Type_create_resized)
#define MPI_Comm_rank(comm, rank) MPI_Comm_rank(comm, rank)
#define MPIX_FLAG_OF(bits) ((bits) & 1)
#define MPI_Type_lb(...) _Static_assert(0, "MPI_Type_lb is gone")
#define MPI_Aint_diff(a, b) ({ MPI_Aint mg_a = (a); mg_a - (b); })

/* Prototypes of every shape. */
#define MPI_VERSION 3
typedef struct fake_comm *MPI_Comm;
typedef struct fake_datatype *MPI_Datatype;
typedef long MPI_Aint;
typedef struct MPI_Status { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;
typedef void(MPI_User_function)(void *invec, void *inoutvec, int *len, MPI_Datatype *datatype);
typedef void (*MPI_Callback_pointer)(int code, ...);
typedef int MPI_Copy_function(MPI_Comm, int, void *, void *, void *, int *);
typedef MPI_Copy_function MPI_Comm_copy_attr_function;
int MPI_Group_range_incl(MPI_Comm group, int n, int ranges[][3], MPI_Comm *newgroup);
int MPI_Pcontrol(const int level, ...);
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_size(MPI_Comm, int *);
int MPI_Old(int a) __attribute__((deprecated("use MPI_New")));
int MPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int *sdispls,
                  const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                  const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
int MPI_Keyval_create(MPI_Copy_function *copy_fn, int (*other_fn)(MPI_Comm, int), int *keyval,
                      void *extra_state);
int MPI_Comm_spawn_multiple(int count, char *array_of_commands[], char **array_of_argv[]);
int MPI_Waitall(int count, MPI_Comm array[restrict], MPI_Status *statuses);
static inline int MPI_Inline(MPI_Aint n) { return (int)n; }
double MPI_Wtime(void);
MPI_Aint MPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2) __attribute__((const));
unsigned long long MPIX_Clock(const volatile unsigned char *raw, MPI_Status const *status);

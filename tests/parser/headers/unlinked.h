/* Declared, but not in the library: functions, variables, and the address behind a constant. */
#define MPI_VERSION 3
typedef struct fake_comm *MPI_Comm;
struct fake_comm { int x; };
extern struct fake_comm fake_world, fake_self;
extern int *MPI_F08_STATUS_IGNORE;
#define MPI_COMM_WORLD ((MPI_Comm)&fake_world)
#define MPI_COMM_SELF ((MPI_Comm)&fake_self)
int MPI_Init(int *argc, char ***argv);
int MPI_Status_c2f08(const int *a, int *b);
int MPI_Get_library_version(char *version, int *resultlen);
int PMPI_Init(int *argc, char ***argv);

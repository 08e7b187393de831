/* A handle that is a pointer to a struct, with addresses for constants. */
typedef struct fake_group *MPI_Group;
extern struct fake_group fake_group_null, fake_group_empty;
#define MPI_GROUP_NULL (&fake_group_null)
#define MPI_GROUP_EMPTY (&fake_group_empty)
int MPI_Comm_group(MPI_Comm comm, MPI_Group *group);
int MPI_Group_size(MPI_Group group, int *size);
int MPI_Group_free(MPI_Group *group);

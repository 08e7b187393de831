/* What the generated layer needs of any MPI. */
#define MPI_VERSION 4
#define MPI_SUBVERSION 0
#define MPI_SUCCESS 0
#define MPI_ERR_COUNT 2
#define MPI_ERR_ARG 12
#define MPI_ERR_NO_MEM 34
#define MPI_ERR_UNSUPPORTED_OPERATION 44
#define MPI_ERR_OTHER 15
#define MPI_MAX_ERROR_STRING 64
#define MPI_MAX_LIBRARY_VERSION_STRING 64
#define MPI_MAX_INFO_KEY 32
#define MPI_KEYVAL_INVALID (-1)
#define MPI_COMM_NULL ((MPI_Comm)0)
#define MPI_COMM_WORLD ((MPI_Comm)1)
#define MPI_STATUS_IGNORE ((MPI_Status *)1)
#define MPI_STATUSES_IGNORE ((MPI_Status *)1)
typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Info;
typedef int MPI_Request;
typedef int MPI_Fint;
typedef long MPI_Aint;
typedef long MPI_Count;
typedef long MPI_Offset;
typedef struct MPI_Status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
} MPI_Status;
int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Initialized(int *flag);
int MPI_Finalized(int *flag);
int MPI_Abort(MPI_Comm comm, int errorcode);
int MPI_Error_class(int errorcode, int *errorclass);
int MPI_Error_string(int errorcode, char *string, int *resultlen);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Get_library_version(char *version, int *resultlen);

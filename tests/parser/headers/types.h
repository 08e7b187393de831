/* Types of every kind: what each handle really is, structures with odd fields. */
typedef short MPI_Comm;
typedef struct fake_file *MPI_File;
typedef unsigned int MPI_Fint;
typedef long long MPI_Count;
typedef double MPI_Time;
typedef enum { MPI_RED, MPI_GREEN } MPI_Colour;
typedef struct {
    char first;
    long long count;
    int cancelled : 1;
    int rest : 31;
    int MPI_SOURCE;
    struct { int x, y; } inner;
    int reserved[5];
    MPI_File file;
} MPI_Status;
typedef struct fake_packed { char a; int b; } __attribute__((packed)) MPI_Packed;
typedef union { int i; double d; } MPI_Either;
typedef struct {
    int MPI_TAG;
    union { long long whole; struct { int low, high; }; };
    int : 7;
    int (*call)(int);
} MPI_Message_info;
typedef MPI_Status MPI_Status_alias;
typedef int MPI_Triple[3];
#define MPI_COMM_NULL ((MPI_Comm)-1)
#define MPI_FILE_NULL ((MPI_File)0)
int MPI_Init(int *argc, char ***argv);

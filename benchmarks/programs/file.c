// A file that all processes write together, as java_runtime/examples/file has it.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 600, COLUMNS = 500 };

static int rank_, ranks_;

static void fail(const char* sentence) {
  fprintf(stderr, "%s\n", sentence);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

// Files return errors by default, unlike communicators.
static void must(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  if (code == MPI_SUCCESS) return;
  MPI_Error_string(code, text, &length);
  fail(text);
}

static int value(int row, int column) { return (int)(row * 1000003u + column * 7919u); }

static int start(int all, int process) { return all * process / ranks_; }

static void write_columns(const char* path) {
  int first = start(COLUMNS, rank_), columns = start(COLUMNS, rank_ + 1) - first;
  int* own = malloc((size_t)ROWS * columns * sizeof(int));
  for (int i = 0; i < ROWS * columns; i++) own[i] = value(i / columns, first + i % columns);
  MPI_Datatype part;
  MPI_Type_vector(ROWS, columns, COLUMNS, MPI_INT, &part);
  MPI_Type_commit(&part);
  MPI_File file;
  must(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY,
                     MPI_INFO_NULL, &file));
  must(MPI_File_set_view(file, (MPI_Offset)first * sizeof(int), MPI_INT, part, "native",
                         MPI_INFO_NULL));
  must(MPI_File_write_all(file, own, ROWS * columns, MPI_INT, MPI_STATUS_IGNORE));
  must(MPI_File_close(&file));
  MPI_Type_free(&part);
  free(own);
}

static void read_rows(const char* path) {
  int first = start(ROWS, rank_), rows = start(ROWS, rank_ + 1) - first, wrong = 0;
  int* own = calloc((size_t)rows * COLUMNS, sizeof(int));
  MPI_File file;
  must(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  must(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  must(MPI_File_read_at_all(file, (MPI_Offset)first * COLUMNS, own, rows * COLUMNS, MPI_INT,
                            MPI_STATUS_IGNORE));
  must(MPI_File_close(&file));
  for (int i = 0; i < rows * COLUMNS; i++)
    wrong += own[i] != value(first + i / COLUMNS, i % COLUMNS);
  free(own);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (wrong) fail("Values were read that nobody has written there.");
}

static void compare(const char* path) {
  static int found[ROWS * COLUMNS + 1];
  FILE* file = fopen(path, "rb");
  if (!file) fail("The file is not there.");
  size_t bytes = fread(found, 1, sizeof found, file);
  fclose(file);
  int right = bytes == ROWS * COLUMNS * sizeof(int);
  for (int i = 0; i < ROWS * COLUMNS; i++) right &= found[i] == value(i / COLUMNS, i % COLUMNS);
  if (!right) fail("The file has other bytes than those that were written.");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  if (argc > 2) {
    fprintf(stderr, "usage: %s [PATH]\n", argv[0]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  char path[4096];
  const char* folder = getenv("TMPDIR");
  if (argc == 2)
    snprintf(path, sizeof path, "%s", argv[1]);
  else
    snprintf(path, sizeof path, "%s/mpiglot-%ld", folder ? folder : "/tmp", (long)getpid());
  MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
  write_columns(path);
  read_rows(path);
  if (rank_ == 0) {
    compare(path);
    must(MPI_File_delete(path, MPI_INFO_NULL));
    printf("%zu bytes are right: columns of %d processes, read as rows\n",
           ROWS * COLUMNS * sizeof(int), ranks_);
  }
  MPI_Finalize();
}

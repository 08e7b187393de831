/* Files: views, the many ways to read and write, and what is told about them. Argument: a new file's path. */
#include "say.h"

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  said_rank = rank;
  const char *path = argc > 1 ? argv[1] : "/tmp/mpiglot-files-test";
  MPI_File file;
  MPI_Status status;
  MPI_Request request;
  MPI_Offset offset = -1;
  int out[6], in[6] = {-1, -1, -1, -1, -1, -1}, count = -1, flag = 77;
  for (int i = 0; i < 6; ++i) out[i] = 10 * rank + i;
  say("open: %d", outcome(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR,
                                        MPI_INFO_NULL, &file)));
  MPI_Datatype every;
  MPI_Type_vector(3, 2, 2 * size, MPI_INT, &every);
  MPI_Type_commit(&every);
  char representation[MPI_MAX_DATAREP_STRING] = "";
  MPI_Datatype etype, filetype;
  MPI_File_set_view(file, (MPI_Offset)(8 * rank), MPI_INT, every, "native", MPI_INFO_NULL);
  MPI_File_get_view(file, &offset, &etype, &filetype, representation);
  say("view: %d %s, element %d", (int)offset, representation, etype == MPI_INT);
  MPI_Type_free(&filetype);
  /* some MPIs say that this went well, and leave the text alone */
  strcpy(representation, "before");
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
  say("view of no file: %d %s",
      outcome(MPI_File_get_view(MPI_FILE_NULL, &offset, &etype, &filetype, representation)),
      representation);
  MPI_File_write_all(file, out, 6, MPI_INT, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  MPI_File_get_position(file, &offset);
  say("wrote %d, now at %d", count, (int)offset);
  MPI_File_get_byte_offset(file, 2, &offset);
  say("element 2 at byte %d", (int)offset);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD); /* one process may write for all, and be late */
  MPI_File_sync(file);
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  MPI_File_read(file, in, 3, MPI_INT, &status);
  say("read %d %d %d", in[0], in[1], in[2]);
  MPI_File_read_at(file, 3, in, 2, MPI_INT, MPI_STATUS_IGNORE);
  say("read %d %d", in[0], in[1]);
  MPI_File_read_at_all(file, 0, in, 6, MPI_INT, &status);
  MPI_File_iread_at(file, 5, in, 1, MPI_INT, &request);
  MPI_Wait(&request, &status);
  say("last %d", in[0]);
  MPI_File_write_at_all_begin(file, 0, out, 2, MPI_INT);
  MPI_File_write_at_all_end(file, out, &status);
  MPI_File_read_all_begin(file, in, 1, MPI_INT);
  MPI_File_read_all_end(file, in, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  say("in two steps: %d", count);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  if (rank == 0) {
    int whole[24] = {0};
    char line[256] = "";
    MPI_File_read_at(file, 0, whole, 6 * size, MPI_INT, &status);
    for (int i = 0; i < 6 * size; ++i)
      snprintf(line + strlen(line), sizeof line - strlen(line), " %d", whole[i]);
    say("file:%s", line);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_read_ordered(file, in, 2, MPI_INT, &status);
  say("in order %d %d", in[0], in[1]);
  MPI_File_get_position_shared(file, &offset);
  say("shared position %d", (int)offset);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_get_size(file, &offset);
  say("size %d", (int)offset);
  MPI_File_set_atomicity(file, 1);
  MPI_File_get_atomicity(file, &flag);
  int mode = 0;
  MPI_File_get_amode(file, &mode);
  say("atomic %d, mode %d", flag, mode == (MPI_MODE_CREATE | MPI_MODE_RDWR));
  MPI_Aint extent = -1;
  MPI_File_get_type_extent(file, MPI_INT, &extent);
  MPI_Group group;
  MPI_File_get_group(file, &group);
  MPI_Group_size(group, &count);
  MPI_Group_free(&group);
  say("extent %d, group of %d", (int)extent, count);
  say("a negative offset: %d", outcome(MPI_File_read_at(file, -5, in, 1, MPI_INT, &status)) != 0);
  MPI_Barrier(MPI_COMM_WORLD); /* until then, the others ask for its size */
  MPI_File_set_size(file, 8);
  MPI_File_read_at(file, 1, in, 5, MPI_INT, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  say("at the end: %d", count);
#if MPI_VERSION >= 4
  MPI_File_read_at_c(file, 0, in, 2, MPI_INT, &status);
  say("large: %d %d", in[0], in[1]);
#endif
  MPI_Info info;
  MPI_File_get_info(file, &info);
  say("hints %d", info != MPI_INFO_NULL);
  MPI_Info_free(&info);
  MPI_Type_free(&every);
  MPI_File_close(&file);
  say("closed %d", file == MPI_FILE_NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) say("deleted: %d", outcome(MPI_File_delete(path, MPI_INFO_NULL)));
  MPI_Barrier(MPI_COMM_WORLD);
  say("no file: %d",
      outcome(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file)));
  MPI_Finalize();
  return 0;
}

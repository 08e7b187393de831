/* Errors: codes, classes, handlers, outputs that come with an error and outputs that must be left. */
#include "say.h"

#include <limits.h>

static int handled = 0, last = 0;
static MPI_Comm seen = MPI_COMM_NULL;

static void on_error(MPI_Comm *comm, int *code, ...) {
  ++handled;
  last = outcome(*code);
  seen = *comm;
}
static void on_window_error(MPI_Win *win, int *code, ...) {
  (void)win;
  handled += 100;
  last = outcome(*code);
}
static void on_file_error(MPI_File *file, int *code, ...) {
  (void)file;
  handled += 10000;
  last = outcome(*code);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  said_rank = rank;
  MPI_Errhandler handler, got;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
  say("fatal by default: %d", got == MPI_ERRORS_ARE_FATAL);
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &got);
  say("of self too: %d", got == MPI_ERRORS_ARE_FATAL);
  MPI_File_get_errhandler(MPI_FILE_NULL, &got);
  say("files return: %d", got == MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
  say("return now: %d", got == MPI_ERRORS_RETURN);

  int x = 1, y = 2;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  say("rank: %d", outcome(MPI_Send(&x, 1, MPI_INT, size + 3, 0, MPI_COMM_WORLD)));
  say("tag: %d", outcome(MPI_Send(&x, 1, MPI_INT, 0, -7, MPI_COMM_WORLD)));
  say("count: %d", outcome(MPI_Send(&x, -1, MPI_INT, 0, 0, MPI_COMM_WORLD)));
  say("type: %d", outcome(MPI_Send(&x, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD)));
  say("communicator: %d", outcome(MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_NULL)));
  say("root: %d", outcome(MPI_Bcast(&x, 1, MPI_INT, size, MPI_COMM_WORLD)));
  say("op: %d", outcome(MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD)));
  say("null result: %d", outcome(MPI_Comm_rank(MPI_COMM_WORLD, NULL)));
  say("null request: %d", outcome(MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, NULL)));
  say("negative length: %d", outcome(MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE)));
  MPI_Comm made = MPI_COMM_SELF;
  say("split: %d", outcome(MPI_Comm_split(MPI_COMM_WORLD, -5, 0, &made)));
  x = 77;
  y = outcome(MPI_File_get_atomicity(MPI_FILE_NULL, &x));
  say("atomicity of no file: %d and left %d", y, x);
  say("size of null: %d and left alone %d", outcome(MPI_Comm_size(MPI_COMM_NULL, &x)), x);
  MPI_Datatype type;
  say("negative count: %d", outcome(MPI_Type_contiguous(-1, MPI_INT, &type)));
  say("free of null: %d", outcome((type = MPI_DATATYPE_NULL, MPI_Type_free(&type))));
  say("free of a predefined one: %d", outcome((type = MPI_INT, MPI_Type_free(&type))));
  MPI_Group group, none = MPI_GROUP_NULL;
  const int bad[2] = {0, 99};
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  say("ranks: %d", outcome(MPI_Group_incl(group, 2, bad, &none)));
  MPI_Group_free(&group);
  MPI_Info info;
  MPI_Info_create(&info);
  say("key: %d", outcome(MPI_Info_delete(info, "nothing")));
  char value[8] = "";
  x = 77;
  y = outcome(MPI_Info_get(info, "nothing", INT_MAX, value, &x));
  say("room without end: %d, flag %d", y, x);
  MPI_Info_set(info, "here", "value");
  for (int room = -1; room <= 1; ++room) {
    strcpy(value, "before");
    x = 77;
    y = outcome(MPI_Info_get(info, "here", room, value, &x));
    say("room for %d: %d, flag %d, %s", room, y, x, value);
  }
#if MPI_VERSION >= 4
  strcpy(value, "before");
  x = 77;
  int room = -1;
  y = outcome(MPI_Info_get_string(info, "here", &room, value, &x));
  say("room for less than nothing: %d, flag %d, %s, %d", y, x, value, room);
#endif
  MPI_Info_free(&info);

  /* truncation: the error comes with a status, and with a flag or an index */
  int out[4] = {1, 2, 3, 4}, in[4] = {0};
  MPI_Request pair[2];
  memset(&status, 0, sizeof status);
  MPI_Isend(out, 4, MPI_INT, rank, 5, MPI_COMM_WORLD, &pair[0]);
  say("truncated: %d", outcome(MPI_Recv(in, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &status)));
  say("from %d with %d", status.MPI_SOURCE, status.MPI_TAG);
  MPI_Wait(&pair[0], MPI_STATUS_IGNORE);
  MPI_Irecv(in, 1, MPI_INT, rank, 6, MPI_COMM_WORLD, &pair[0]);
  MPI_Isend(out, 4, MPI_INT, rank, 6, MPI_COMM_WORLD, &pair[1]);
  MPI_Status statuses[2];
  memset(statuses, 0, sizeof statuses);
  int code = MPI_Waitall(2, pair, statuses);
  say("waitall: in status %d, receive %d, send %d", outcome(code) == MPI_ERR_IN_STATUS,
      outcome(statuses[0].MPI_ERROR) != 0, outcome(statuses[1].MPI_ERROR));
  MPI_Irecv(in, 1, MPI_INT, rank, 6, MPI_COMM_WORLD, &pair[0]);
  MPI_Send(out, 4, MPI_INT, MPI_PROC_NULL, 6, MPI_COMM_WORLD);
  MPI_Isend(out, 4, MPI_INT, rank, 6, MPI_COMM_WORLD, &pair[1]);
  int index = 77, flag = 0;
  code = MPI_Waitany(1, pair, &index, &status);
  say("waitany: %d at %d, null %d", outcome(code), index, pair[0] == MPI_REQUEST_NULL);
  MPI_Wait(&pair[1], MPI_STATUS_IGNORE);
  MPI_Irecv(in, 1, MPI_INT, rank, 6, MPI_COMM_WORLD, &pair[0]);
  MPI_Isend(out, 4, MPI_INT, rank, 6, MPI_COMM_WORLD, &pair[1]);
  MPI_Wait(&pair[1], MPI_STATUS_IGNORE);
  do code = MPI_Test(&pair[0], &flag, &status);
  while (code == MPI_SUCCESS && !flag);
  say("test: %d with flag %d", outcome(code), flag);
  MPI_Irecv(in, 1, MPI_INT, rank, 6, MPI_COMM_WORLD, &pair[0]);
  MPI_Isend(out, 4, MPI_INT, rank, 6, MPI_COMM_WORLD, &pair[1]);
  int outcount = 0, indices[2] = {77, 77}, total = 0;
  while (total < 2) {
    code = MPI_Waitsome(2, pair, &outcount, indices, statuses);
    if (outcount == MPI_UNDEFINED) break;
    total += outcount;
    if (code != MPI_SUCCESS) say("waitsome: in status %d", outcome(code) == MPI_ERR_IN_STATUS);
  }
  say("waitsome: %d done", total);

  /* handlers of one's own: called once for each error, with the communicator */
  MPI_Comm own;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Comm_create_errhandler(on_error, &handler);
  MPI_Comm_set_errhandler(own, handler);
  MPI_Errhandler_free(&handler);
  say("handler gone: %d", handler == MPI_ERRHANDLER_NULL);
  code = MPI_Send(&x, 1, MPI_INT, size + 3, 0, own);
  say("handled %d, class %d, returned %d, ours %d", handled, last, outcome(code), seen == own);
  MPI_Comm_call_errhandler(own, MPI_ERR_OTHER);
  say("handled %d, class %d", handled, last);
  MPI_Comm_get_errhandler(own, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  y = MPI_Buffer_attach(in, -5) != MPI_SUCCESS; /* Open MPI's code is none that it knows */
  say("buffer of less than nothing: failed %d, handled %d", y, handled);
  /* MPICH says that all went well when a handler has returned, and has written nothing */
  char name[MPI_MAX_OBJECT_NAME] = "before";
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  x = 77;
  y = outcome(MPI_Win_get_name(MPI_WIN_NULL, name, &x));
  say("name of no window: %d, %s of %d, handled %d", y, name, x, handled);
  strcpy(value, "before");
  x = 77;
  y = outcome(MPI_Info_get(MPI_INFO_NULL, "here", 5, value, &x));
  say("key of no info: %d, %s, flag %d, handled %d", y, value, x, handled);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&handler);
  y = MPI_KEYVAL_INVALID;
  x = outcome(MPI_Comm_create_keyval(NULL, MPI_COMM_NULL_DELETE_FN, &y, NULL));
  say("no function that copies: %d, invalid %d", x, y == MPI_KEYVAL_INVALID);
  if (x == MPI_SUCCESS) MPI_Comm_free_keyval(&y);
  MPI_Comm copy;
  MPI_Comm_dup(own, &copy);
  MPI_Comm_rank(copy, NULL);
  say("handled %d by the copy's too", handled);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&own);
  int memory[4];
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_create_errhandler(on_window_error, &handler);
  MPI_Win_set_errhandler(win, handler);
  MPI_Win_fence(0, win);
  code = MPI_Put(&x, 1, MPI_INT, size + 4, 0, 1, MPI_INT, win);
  say("window: handled %d, class %d, returned %d", handled, last, outcome(code));
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Errhandler_free(&handler);
  MPI_File file = MPI_FILE_NULL;
  MPI_File_create_errhandler(on_file_error, &handler);
  MPI_File_set_errhandler(MPI_FILE_NULL, handler);
  code = MPI_File_open(MPI_COMM_SELF, "/nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  say("file: handled %d, failed %d, null %d", handled, code != MPI_SUCCESS, file == MPI_FILE_NULL);
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&handler);

  /* classes and codes of one's own */
  int class = 0, number = 0, length = -1;
  char text[MPI_MAX_ERROR_STRING] = "";
  MPI_Add_error_class(&class);
  MPI_Add_error_code(class, &number);
  MPI_Add_error_string(number, "ours");
  MPI_Error_string(number, text, &length);
  say("own code: %s, %d characters, class ours %d", text, length, outcome(number) == class);
  MPI_Error_string(MPI_ERR_TRUNCATE, text, &length);
  say("truncation: %s, %d", text, length == (int)strlen(text));
  MPI_Error_string(MPI_Type_size(MPI_DATATYPE_NULL, &x), text, &length);
  say("the small function is named: %d", strstr(text, "Type_size_c") == NULL);
  MPI_Finalize();
  return 0;
}

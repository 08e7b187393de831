/* Callbacks with state: attributes, generalized requests, data representations, freed while in use. */
#include "say.h"

struct notes {
  int number, copies, deletions;
};

static int copy_comm(MPI_Comm comm, int key, void *state, void *in, void *out, int *flag) {
  struct notes *notes = state;
  (void)comm, (void)key;
  ++notes->copies;
  *(void **)out = (char *)in + notes->number;
  *flag = notes->number != 3;
  return MPI_SUCCESS;
}
static int delete_comm(MPI_Comm comm, int key, void *value, void *state) {
  (void)comm, (void)key, (void)value;
  ++((struct notes *)state)->deletions;
  return MPI_SUCCESS;
}
static int copy_type(MPI_Datatype type, int key, void *state, void *in, void *out, int *flag) {
  (void)type, (void)key;
  ++((struct notes *)state)->copies;
  *(void **)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}
static int refuse(MPI_Datatype type, int key, void *value, void *state) {
  (void)type, (void)key, (void)value;
  return ++((struct notes *)state)->deletions == 1 ? MPI_ERR_INTERN : MPI_SUCCESS;
}
static int delete_window(MPI_Win win, int key, void *value, void *state) {
  (void)win, (void)key;
  ((struct notes *)state)->deletions += (int)(MPI_Aint)value;
  return MPI_SUCCESS;
}
static int query(void *state, MPI_Status *status) {
  struct notes *notes = state;
  MPI_Status_set_elements(status, MPI_INT, notes->number);
  MPI_Status_set_cancelled(status, notes->copies > 0);
  status->MPI_SOURCE = 4;
  status->MPI_TAG = 5;
  return MPI_SUCCESS;
}
static int release(void *state) {
  ++((struct notes *)state)->deletions;
  return MPI_SUCCESS;
}
static int cancel(void *state, int complete) {
  ((struct notes *)state)->copies += 1 + 10 * complete;
  return MPI_SUCCESS;
}
static int extent(MPI_Datatype type, MPI_Aint *bytes, void *state) {
  (void)type;
  ++((struct notes *)state)->number;
  *bytes = 4;
  return MPI_SUCCESS;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &said_rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);

  /* three keys with states of their own, and one of them does not want to be copied */
  struct notes notes[3] = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  char place[16];
  int keys[3], flag = 0;
  MPI_Comm first, second;
  MPI_Comm_dup(MPI_COMM_SELF, &first);
  for (int i = 0; i < 3; ++i) {
    MPI_Comm_create_keyval(copy_comm, delete_comm, &keys[i], &notes[i]);
    MPI_Comm_set_attr(first, keys[i], place);
  }
  MPI_Comm_dup(first, &second);
  for (int i = 0; i < 3; ++i) {
    char *value = NULL;
    MPI_Comm_get_attr(second, keys[i], &value, &flag);
    say("attribute %d: there %d, shifted %d, copies %d", i, flag, flag ? (int)(value - place) : -1,
        notes[i].copies);
    int gone = keys[i];
    MPI_Comm_free_keyval(&gone);
  }
  MPI_Comm_delete_attr(first, keys[1]);
  MPI_Comm_free(&second);
  MPI_Comm_free(&first);
  for (int i = 0; i < 3; ++i) say("deletions of %d: %d", i, notes[i].deletions);

  /* thousands of them */
  struct notes many = {1, 0, 0};
  for (int i = 0; i < 3000; ++i) {
    int key;
    MPI_Comm_create_keyval(copy_comm, delete_comm, &key, &many);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, place);
    int gone = key;
    MPI_Comm_free_keyval(&gone);
    MPI_Comm_delete_attr(MPI_COMM_SELF, key);
  }
  say("thousands: %d", many.deletions);

  struct notes typed = {0, 0, 0}, windowed = {0, 0, 0};
  int key;
  MPI_Datatype type, copy;
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Type_create_keyval(copy_type, refuse, &key, &typed);
  MPI_Type_set_attr(type, key, place);
  MPI_Type_dup(type, &copy);
  say("a deletion refused: %d", MPI_Type_delete_attr(copy, key) != MPI_SUCCESS);
  MPI_Type_free(&copy);
  MPI_Type_free(&type);
  MPI_Type_free_keyval(&key);
  say("types: %d copies, %d deletions", typed.copies, typed.deletions);
  int memory;
  MPI_Win win;
  const int windows = MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
  say("a window on one process: %d", outcome(windows)); /* Open MPI 4.1.4 has none */
  if (windows == MPI_SUCCESS) {
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_window, &key, &windowed);
    MPI_Win_set_attr(win, key, (void *)(MPI_Aint)42);
    MPI_Win_free_keyval(&key);
    int *unit = NULL;
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag);
    say("window: there %d, unit %d", flag, flag ? *unit : -1);
    MPI_Win_free(&win);
    say("windows: %d", windowed.deletions);
  }

  /* generalized requests */
  struct notes asked = {6, 0, 0}, stopped = {7, 0, 0};
  MPI_Request request;
  MPI_Status status;
  MPI_Grequest_start(query, release, cancel, &asked, &request);
  MPI_Test(&request, &flag, &status);
  say("request done too early: %d", flag);
  MPI_Grequest_complete(request);
  MPI_Wait(&request, &status);
  say_status("request", &status);
  say("released %d", asked.deletions);
  MPI_Grequest_start(query, release, cancel, &stopped, &request);
  MPI_Cancel(&request);
  MPI_Grequest_complete(request);
  MPI_Wait(&request, &status);
  say("cancelled %d, called %d", (MPI_Test_cancelled(&status, &flag), flag), stopped.copies);

  struct notes represented = {0, 0, 0};
  const int code = MPI_Register_datarep("ours", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL,
                                        extent, &represented);
  say("datarep: %d", outcome(code));
  MPI_Finalize();
  return 0;
}

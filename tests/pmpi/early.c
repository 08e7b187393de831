/* Calls before MPI_Init and after MPI_Finalize, and calls that are seldom made. */
#include <sys/wait.h>

#include "say.h"

static int deleted = 0;

static int delete_it(MPI_Comm comm, int keyval, void *value, void *state) {
  (void)comm, (void)keyval;
  deleted += *(int *)value + *(int *)state;
  return MPI_SUCCESS;
}

int main(int argc, char **argv) {
  int flag = 77, version = 0, subversion = 0, length = 0, provided = -1, state = 1000;
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  MPI_Initialized(&flag);
  say("initialized %d", flag);
  MPI_Finalized(&flag);
  say("finalized %d", flag);
  MPI_Get_version(&version, &subversion);
  say("version %d.%d", version, subversion);
  MPI_Get_library_version(text, &length);
  say("library %.20s %d", text, length == (int)strlen(text));
#if MPI_VERSION >= 4
  MPI_Info info;
  char value[16] = "";
  int room = sizeof value;
  MPI_Info_create(&info);
  MPI_Info_set(info, "before", "init");
  MPI_Info_get_string(info, "before", &room, value, &flag);
  say("info: %s needs %d, there %d", value, room, flag);
  room = 3;
  MPI_Info_get_string(info, "before", &room, value, &flag);
  say("info, cut: %s needs %d", value, room);
  room = 0;
  MPI_Info_get_string(info, "before", &room, value, &flag);
  say("info, only asked: needs %d", room);
  MPI_Info_get_string(info, "behind", &room, value, &flag);
  say("info, not there: %d", flag);
  MPI_Info_free(&info);
#endif
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &said_rank);
  /* what the library wants of its surroundings it has taken when it was loaded */
  say("away %d %d", chdir("/"), clearenv());
  say("enough threads %d", provided >= MPI_THREAD_SINGLE);
  MPI_Query_thread(&version);
  MPI_Is_thread_main(&flag);
  say("same %d main %d", version == provided, flag);
#if MPI_VERSION >= 4
  MPI_Session session;
  if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS) {
    int sets = 0;
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets);
    for (int i = 0; i < sets; ++i) {
      char name[64] = "";
      room = 0;
      MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &room, name);
      const int needed = room;
      MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &room, name);
      say("set %d: %s, %d", i, name, needed == (int)strlen(name) + 1);
    }
    MPI_Session_finalize(&session);
    say("session gone %d", session == MPI_SESSION_NULL);
  }
#endif
  MPI_Pcontrol(1);
  MPI_Pcontrol(2, "more", 3.0);
  MPI_Get_processor_name(text, &length);
  say("name %d", length == (int)strlen(text) && length > 0);
  say("clock %d %d", MPI_Wtime() > 0, MPI_Wtick() > 0);
  int dimensions[3] = {0, 2, 0};
  MPI_Dims_create(12, 3, dimensions);
  say("dims %d %d %d", dimensions[0], dimensions[1], dimensions[2]);
  MPI_Aint here, there;
  MPI_Get_address(&dimensions[0], &here);
  MPI_Get_address(&dimensions[2], &there);
  say("addresses %d %d", (int)MPI_Aint_diff(there, here), MPI_Aint_add(here, 8) == there);
  void *memory = NULL;
  MPI_Alloc_mem(1000, MPI_INFO_NULL, &memory);
  say("memory %d", memory != NULL);
  MPI_Free_mem(memory);

  /* a process that is forked makes no calls, and is none of the job's */
  int ended = -1;
  const int child = fork();
  if (child == 0) exit(3);
  waitpid(child, &ended, 0);
  say("forked %d", WIFEXITED(ended) ? WEXITSTATUS(ended) : -1);

  /* predefined attributes, and one that is not there */
  void *attribute = &state;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &attribute, &flag);
  say("tags %d %d", flag, *(int *)attribute >= 32767);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &attribute, &flag);
  int key, other, five = 5;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_it, &key, &state);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &other, NULL);
  attribute = &state;
  MPI_Comm_get_attr(MPI_COMM_SELF, key, &attribute, &flag);
  say("not set: %d, left alone %d", flag, attribute == &state);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, &five);
  MPI_Comm_set_attr(MPI_COMM_SELF, other, &five);
  MPI_Comm_free_keyval(&key);
  say("key gone %d", key == MPI_KEYVAL_INVALID);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_SELF, &copy);
  MPI_Comm_get_attr(copy, other, &attribute, &flag);
  say("copied %d %d", flag, attribute == &five);
  MPI_Comm_free(&copy);
  say("deleted %d", deleted);
  MPI_Finalize();
  say("deleted %d at the end", deleted);
  MPI_Finalized(&flag);
  say("finalized %d", flag);
  MPI_Initialized(&flag);
  say("initialized %d", flag);
  MPI_Get_version(&version, &subversion);
  say("version %d.%d", version, subversion);
  return 0;
}

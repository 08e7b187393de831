/* The tool information interface, with too little room for texts and with results nobody wants. */
#include "say.h"

int main(int argc, char **argv) {
  int provided = -1, variables = 0;
  say("init: %d", outcome(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided)));
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &said_rank);
  MPI_T_cvar_get_num(&variables);
  say("control variables %d", variables);
  for (int i = 0; i < variables && i < 40; ++i) {
    char name[12] = "", text[16] = "", all[256] = "";
    int room = sizeof name, described = sizeof text, verbosity, bind, scope, needed = 0, none = 0;
    int long_room = sizeof all, no_text = 0;
    MPI_Datatype type;
    MPI_T_enum values;
    const int code = MPI_T_cvar_get_info(i, name, &room, &verbosity, &type, &values, text,
                                         &described, &bind, &scope);
    say("variable %d: %d %s (%d) %s (%d) %d %d %d", i, code == MPI_SUCCESS, name, room, text,
        described, verbosity, bind, scope);
    MPI_T_cvar_get_info(i, NULL, &needed, &verbosity, &type, &values, NULL, &none, &bind, &scope);
    MPI_T_cvar_get_info(i, all, &long_room, &verbosity, &type, &values, NULL, &no_text, &bind,
                        &scope);
    say("needs %d and %d, is %s (%d)", needed, none, all, long_room);
    int index = -1;
    MPI_T_cvar_get_index(all, &index);
    say("found %d", index == i);
    if (type == MPI_INT && bind == MPI_T_BIND_NO_OBJECT) {
      MPI_T_cvar_handle handle;
      int count = -1, value[8] = {0};
      if (MPI_T_cvar_handle_alloc(i, NULL, &handle, &count) == MPI_SUCCESS) {
        if (count <= 8) MPI_T_cvar_read(handle, value);
        say("has %d: %d", count, value[0]);
        MPI_T_cvar_handle_free(&handle);
        say("handle gone %d", handle == MPI_T_CVAR_HANDLE_NULL);
      }
    }
  }
  say("nothing there: %d", MPI_T_cvar_get_index("no such variable", &variables) != MPI_SUCCESS);
  int counters = 0, categories = 0;
  MPI_T_pvar_get_num(&counters);
  MPI_T_category_get_num(&categories);
  say("performance variables %d, categories %d", counters, categories);
  for (int i = 0; i < counters && i < 10; ++i) {
    char name[200] = "", text[400] = "";
    int room = sizeof name, described = sizeof text, verbosity, class, bind, readonly, continuous,
        atomic;
    MPI_Datatype type;
    MPI_T_enum values;
    const int code = MPI_T_pvar_get_info(i, name, &room, &verbosity, &class, &type, &values, text,
                                         &described, &bind, &readonly, &continuous, &atomic);
    say("counter %d: %d %s (%d), %d %d %d", i, code == MPI_SUCCESS, name, room, readonly != 0,
        continuous != 0, atomic != 0);
  }
  for (int i = 0; i < categories && i < 5; ++i) {
    char name[100] = "", text[10] = "";
    int room = sizeof name, described = sizeof text, a, b, c, members[200];
    MPI_T_category_get_info(i, name, &room, text, &described, &a, &b, &c);
    say("category %d: %s (%d) %s (%d), %d %d %d", i, name, room, text, described, a, b, c);
    if (a > 0 && a <= 200)
      say("members: %d", MPI_T_category_get_cvars(i, a, members) == MPI_SUCCESS);
  }
  MPI_T_pvar_session session;
  MPI_T_pvar_session_create(&session);
  MPI_T_pvar_session_free(&session);
  say("session gone %d", session == MPI_T_PVAR_SESSION_NULL);
  MPI_T_finalize();
  MPI_Finalize();
  return 0;
}

/* Windows: every way to make, to synchronize and to access them. */
#include "say.h"

int main(int argc, char **argv) {
  int rank, size, flag = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  said_rank = rank;
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  MPI_Win win;
  int *base = NULL, x = 100 + rank, y = -1, z = -1;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win)) {
    for (int i = 0; i < 12; ++i) say("no windows on one process: %d", i); /* Open MPI 4.1.4 */
    MPI_Finalize();
    return size > 1;
  }
  say("allocated %d", base != NULL);
  for (int i = 0; i < 8; ++i) base[i] = i;
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  MPI_Put(&x, 1, MPI_INT, next, 1, 1, MPI_INT, win);
  MPI_Accumulate(&x, 1, MPI_INT, next, 2, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  say("put %d, accumulated %d", base[1], base[2]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
  MPI_Get(&y, 1, MPI_INT, next, 1, 1, MPI_INT, win);
  MPI_Win_flush(next, win);
  MPI_Win_unlock(next, win);
  say("got %d", y);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  const int one = 1, five = 5;
  MPI_Fetch_and_op(&one, &y, MPI_INT, next, 5, MPI_SUM, win);
  MPI_Win_flush_local_all(win);
  MPI_Win_flush_all(win);
  z = 6;
  MPI_Compare_and_swap(&one, &z, &y, MPI_INT, next, 5, win);
  MPI_Win_flush(next, win);
  say("swapped %d", y);
  MPI_Request request;
  MPI_Rput(&five, 1, MPI_INT, next, 6, 1, MPI_INT, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Rget_accumulate(NULL, 0, MPI_INT, &y, 1, MPI_INT, next, 6, 1, MPI_INT, MPI_NO_OP, win,
                      &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Get_accumulate(&five, 1, MPI_INT, &z, 1, MPI_INT, next, 7, 1, MPI_INT, MPI_REPLACE, win);
  MPI_Win_sync(win);
  MPI_Win_unlock_all(win);
  say("requests %d, before %d", y, z);
  MPI_Barrier(MPI_COMM_WORLD);
  say("at the end %d %d %d", base[5], base[6], base[7]);

  /* general active target */
  MPI_Group all, to, from;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &next, &to);
  MPI_Group_incl(all, 1, &before, &from);
  if (size > 1) {
    MPI_Win_post(from, 0, win);
    MPI_Win_start(to, 0, win);
    MPI_Put(&x, 1, MPI_INT, next, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    do MPI_Win_test(win, &flag);
    while (!flag);
    say("exposed %d", base[0]);
  }
  MPI_Group of;
  int same = 77;
  MPI_Win_get_group(win, &of);
  MPI_Group_compare(of, all, &same);
  say("group identical %d", same == MPI_IDENT);
  MPI_Group_free(&of);
  MPI_Group_free(&to);
  MPI_Group_free(&from);
  MPI_Group_free(&all);
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = -1;
  MPI_Win_set_name(win, "a window");
  MPI_Win_get_name(win, name, &length);
  void *attribute = NULL;
  MPI_Win_get_attr(win, MPI_WIN_BASE, &attribute, &flag);
  say("%s %d, base %d", name, length, flag && attribute == base);
  MPI_Win_get_attr(win, MPI_WIN_SIZE, &attribute, &flag);
  say("%d bytes", flag ? (int)*(MPI_Aint *)attribute : -1);
  MPI_Win_free(&win);
  say("gone %d", win == MPI_WIN_NULL);

  /* shared and dynamic */
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Win_allocate_shared(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, node, &base, &win);
  MPI_Win_lock_all(0, win);
  base[0] = 10 * rank;
  MPI_Win_sync(win);
  MPI_Barrier(node);
  MPI_Aint bytes = -1;
  int unit = -1, *first = NULL;
  MPI_Win_shared_query(win, next, &bytes, &unit, &first);
  say("shared: %d bytes by %d, %d there", (int)bytes, unit, first[0]);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Comm_free(&node);
  if (MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win) == MPI_SUCCESS) {
    int attached[2] = {rank, 0};
    say("attached %d", outcome(MPI_Win_attach(win, attached, sizeof attached)));
    MPI_Barrier(MPI_COMM_WORLD);
    say("detached %d", outcome(MPI_Win_detach(win, attached)));
    MPI_Win_free(&win);
  }
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  MPI_Win_create(&x, sizeof x, 1, info, MPI_COMM_WORLD, &win);
  MPI_Info_free(&info);
  MPI_Win_get_info(win, &info);
  int keys = -1;
  MPI_Info_get_nkeys(info, &keys);
  say("hints %d", keys >= 0);
  MPI_Info_free(&info);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}

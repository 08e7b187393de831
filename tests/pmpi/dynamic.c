/* Ports, and processes that connect by them; nothing is started. */
#include "say.h"

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  said_rank = rank;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  char port[MPI_MAX_PORT_NAME] = "", name[MPI_MAX_PORT_NAME] = "untouched";
  const int opened =
      MPI_Open_port(MPI_INFO_NULL, port) == MPI_SUCCESS; /* Debian's MPICH has none */
  say("open: %d, a name %d", opened, port[0] != '\0');
  say("nobody's service: %d",
      MPI_Lookup_name("no such service", MPI_INFO_NULL, name) != MPI_SUCCESS);
  say("left alone: %s", name);
  MPI_Comm parent = MPI_COMM_SELF;
  MPI_Comm_get_parent(&parent);
  say("no parent %d", parent == MPI_COMM_NULL);

  MPI_Comm half, inter = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  if (size > 1 && opened) {
    if (rank == 0) {
      MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, 9, MPI_COMM_WORLD);
    } else if (rank == 1) {
      MPI_Recv(name, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    const int code = rank % 2 ? MPI_Comm_connect(name, MPI_INFO_NULL, 0, half, &inter)
                              : MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &inter);
    say("connected: %d", outcome(code));
    if (code == MPI_SUCCESS) {
      int remote = -1, sum = -1;
      MPI_Comm_remote_size(inter, &remote);
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter);
      say("%d others, sum of their ranks %d", remote, sum);
      MPI_Comm_disconnect(&inter);
      say("disconnected %d", inter == MPI_COMM_NULL);
    }
  }
  MPI_Comm_free(&half);
  if (opened) say("close: %d", outcome(MPI_Close_port(port)));
  MPI_Finalize();
  return 0;
}

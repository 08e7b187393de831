/* Point-to-point: every way to send and to wait, with the outputs that are easy to get wrong. */
#include "say.h"

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  said_rank = rank;
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Comm world;
  MPI_Comm_dup(MPI_COMM_WORLD, &world);

  int out[8], in[8];
  for (int i = 0; i < 8; ++i) out[i] = 100 * rank + i, in[i] = -1;

  MPI_Status status;
  memset(&status, 0, sizeof status);
  MPI_Sendrecv(out, 3, MPI_INT, right, 7, in, 8, MPI_INT, left, 7, world, &status);
  say_status("sendrecv", &status);
  say("got %d %d %d %d", in[0], in[1], in[2], in[3]);
  MPI_Sendrecv(out, 3, MPI_INT, right, 7, in, 8, MPI_INT, left, 7, world, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(in, 2, MPI_INT, right, 8, left, MPI_ANY_TAG, world, &status);
  say_status("replace", &status);
  MPI_Recv(in, 1, MPI_INT, MPI_PROC_NULL, 3, world, &status);
  say_status("null process", &status);

  /* wait and test, with and without anything to wait for */
  MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                             MPI_REQUEST_NULL};
  MPI_Status statuses[4];
  int index = 77, flag = 77, outcount = 77, indices[4] = {77, 77, 77, 77};
  MPI_Waitany(4, requests, &index, &status);
  say("waitany of none: undefined %d", index == MPI_UNDEFINED);
  MPI_Testany(4, requests, &index, &flag, &status);
  say("testany of none: undefined %d flag %d", index == MPI_UNDEFINED, flag);
  MPI_Waitsome(4, requests, &outcount, indices, statuses);
  say("waitsome of none: undefined %d index %d", outcount == MPI_UNDEFINED, indices[0]);
  MPI_Testsome(4, requests, &outcount, indices, MPI_STATUSES_IGNORE);
  say("testsome of none: undefined %d", outcount == MPI_UNDEFINED);
  MPI_Testall(4, requests, &flag, statuses);
  say("testall of none: %d", flag);
  MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
  MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  say("test of null: %d", flag);
  MPI_Request_get_status(requests[0], &flag, &status);
  say("get_status of null: %d", flag);

  MPI_Irecv(in, 8, MPI_INT, left, 20, world, &requests[1]);
  index = 77;
  MPI_Testany(4, requests, &index, &flag, MPI_STATUS_IGNORE);
  say("testany too early: undefined %d flag %d", index == MPI_UNDEFINED, flag);
  MPI_Barrier(world);
  MPI_Isend(out, 5, MPI_INT, right, 20, world, &requests[2]);
  MPI_Waitall(4, requests, statuses);
  say_status("waitall", &statuses[1]);
  say("null now: %d %d", requests[1] == MPI_REQUEST_NULL, requests[2] == MPI_REQUEST_NULL);

  MPI_Irecv(in, 8, MPI_INT, left, 21, world, &requests[3]);
  MPI_Issend(out, 4, MPI_INT, right, 21, world, &requests[0]);
  int done = 0, sum = 0;
  while (done < 2) {
    MPI_Waitsome(4, requests, &outcount, indices, statuses);
    for (int i = 0; i < outcount; ++i) sum += indices[i];
    done += outcount;
  }
  say("waitsome: indices sum %d, in %d", sum, in[3]);
  MPI_Irecv(in, 8, MPI_INT, left, 22, world, &requests[3]);
  MPI_Ssend_init(out, 1, MPI_INT, right, 22, world, &requests[0]);
  MPI_Start(&requests[0]);
  MPI_Wait(&requests[3], &status);
  do MPI_Testsome(4, requests, &outcount, indices, statuses);
  while (outcount == 0);
  say("testsome: %d at %d", outcount, indices[0]);
  MPI_Request_free(&requests[0]);
  say("freed: %d", requests[0] == MPI_REQUEST_NULL);

  /* persistent */
  MPI_Send_init(out, 2, MPI_INT, right, 30, world, &requests[0]);
  MPI_Recv_init(in, 2, MPI_INT, left, MPI_ANY_TAG, world, &requests[1]);
  for (int round = 0; round < 3; ++round) {
    out[0] = 1000 * round + rank;
    MPI_Startall(2, requests);
    do MPI_Testall(2, requests, &flag, statuses);
    while (!flag);
    say("round %d: %d, still there %d", round, in[0], requests[0] != MPI_REQUEST_NULL);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);

  /* probing */
  MPI_Message message = MPI_MESSAGE_NO_PROC;
  flag = 77;
  MPI_Improbe(left, 999, world, &flag, &message, &status);
  say("improbe too early: %d null %d", flag, message == MPI_MESSAGE_NULL);
  MPI_Iprobe(left, 999, world, &flag, MPI_STATUS_IGNORE);
  say("iprobe too early: %d", flag);
  MPI_Isend(out, 6, MPI_INT, right, 31, world, &requests[0]);
  MPI_Probe(left, MPI_ANY_TAG, world, &status);
  say_status("probe", &status);
  MPI_Mprobe(left, 31, world, &message, &status);
  say_status("mprobe", &status);
  MPI_Mrecv(in, 8, MPI_INT, &message, &status);
  say_status("mrecv", &status);
  say("message gone: %d", message == MPI_MESSAGE_NULL);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Isend(out, 1, MPI_INT, right, 32, world, &requests[0]);
  do MPI_Improbe(MPI_ANY_SOURCE, 32, world, &flag, &message, &status);
  while (!flag);
  MPI_Imrecv(in, 8, MPI_INT, &message, &requests[1]);
  MPI_Waitany(2, requests, &index, &status);
  MPI_Waitany(2, requests, &index, &status);
  MPI_Mprobe(MPI_PROC_NULL, 0, world, &message, &status);
  say("no process: %d", message == MPI_MESSAGE_NO_PROC);
  MPI_Mrecv(in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);

  /* cancelling, and buffers */
  MPI_Irecv(in, 1, MPI_INT, left, 77, world, &requests[0]);
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], &status);
  MPI_Test_cancelled(&status, &flag);
  say("cancelled: %d", flag);
  char *space = malloc(4096 + MPI_BSEND_OVERHEAD), *back = NULL;
  int length = -1;
  MPI_Buffer_attach(space, 4096 + MPI_BSEND_OVERHEAD);
  MPI_Bsend(out, 4, MPI_INT, right, 40, world);
  MPI_Recv(in, 4, MPI_INT, left, 40, world, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&back, &length);
  say("detached: same %d length %d", back == space, length == 4096 + MPI_BSEND_OVERHEAD);
  free(space);

  /* counts of other types, and of too many or too few */
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Sendrecv(out, 3, MPI_INT, right, 50, in, 4, pair, left, 50, world, &status);
  int count = 77, elements = 77;
  MPI_Count large = 77;
  MPI_Get_count(&status, pair, &count);
  MPI_Get_elements(&status, pair, &elements);
  MPI_Get_elements_x(&status, pair, &large);
  say("one and a half: undefined %d elements %d %d", count == MPI_UNDEFINED, elements, (int)large);
  MPI_Status_set_elements(&status, MPI_INT, 5);
  MPI_Status_set_cancelled(&status, 1);
  say_status("set", &status);
  MPI_Datatype huge;
  MPI_Type_contiguous(1 << 30, pair, &huge);
  int bytes = 77;
  MPI_Count wide = 77;
  MPI_Type_size(huge, &bytes);
  MPI_Type_size_x(huge, &wide);
  say("huge: undefined %d, %lld bytes", bytes == MPI_UNDEFINED, (long long)wide);
  MPI_Type_free(&huge);

#if MPI_VERSION >= 4
  MPI_Send_c(out, 2, MPI_INT, MPI_PROC_NULL, 0, world);
  MPI_Isend_c(out, 2, MPI_INT, right, 60, world, &requests[0]);
  MPI_Recv_c(in, 8, MPI_INT, left, 60, world, &status);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Count much = -1;
  MPI_Get_count_c(&status, MPI_INT, &much);
  say("received %lld", (long long)much);
  MPI_Datatype row;
  MPI_Type_vector_c(2, 1, 3, MPI_INT, &row);
  MPI_Count integers, addresses, larges, types;
  int combiner;
  MPI_Type_get_envelope_c(row, &integers, &addresses, &larges, &types, &combiner);
  say("envelope of a large vector: %d %d %d %d vector %d", (int)integers, (int)addresses,
      (int)larges, (int)types, combiner == MPI_COMBINER_VECTOR);
  MPI_Type_free(&row);
  MPI_Request parts[2];
  MPI_Psend_init(out, 2, 2, MPI_INT, right, 61, world, MPI_INFO_NULL, &parts[0]);
  MPI_Precv_init(in, 2, 2, MPI_INT, left, 61, world, MPI_INFO_NULL, &parts[1]);
  MPI_Startall(2, parts);
  MPI_Pready(0, parts[0]);
  MPI_Pready_range(1, 1, parts[0]);
  do MPI_Parrived(parts[1], 1, &flag);
  while (!flag);
  MPI_Waitall(2, parts, MPI_STATUSES_IGNORE);
  say("partitions: %d %d", in[0], in[3]);
  MPI_Request_free(&parts[0]);
  MPI_Request_free(&parts[1]);
#endif

  MPI_Type_free(&pair);
  MPI_Comm_free(&world);
  say("null communicator %d", world == MPI_COMM_NULL);
  MPI_Finalize();
  return 0;
}

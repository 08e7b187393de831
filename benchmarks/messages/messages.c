/* What messages cost in C: a line each, name, tab, nanoseconds of CPU time per message, median of many blocks. Written
 * once more in Go (go_runtime/internal/messages). A message is 80 bytes from a process to itself: its receive, its
 * send, and its part of the call that waits for all that are on their way at once. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BLOCKS = 41, MESSAGES = 26000, BYTES = 80, MOST = 1000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int less(const void* a, const void* b) {
  double x = *(const double*)a;
  double y = *(const double*)b;
  return (x > y) - (x < y);
}

static char sent[BYTES];
static char received[MOST][BYTES];
static MPI_Request requests[2 * MOST];
static MPI_Status statuses[2 * MOST];

static void exchange(int n) {
  for (int i = 0; i < n; i++) {
    MPI_Irecv(received[i], BYTES, MPI_UINT8_T, 0, i, MPI_COMM_SELF, &requests[i]);
  }
  for (int i = 0; i < n; i++) {
    MPI_Isend(sent, BYTES, MPI_UINT8_T, 0, i, MPI_COMM_SELF, &requests[n + i]);
  }
  MPI_Waitall(2 * n, requests, statuses);
}

int main(void) {
  int level = 0;
  const int at_once[] = {1, 26, MOST};
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
  for (int k = 0; k < 3; k++) {
    double each[BLOCKS];
    int n = at_once[k];
    for (int b = 0; b < BLOCKS; b++) {
      double start = now();
      for (int i = 0; i < MESSAGES / n; i++) {
        exchange(n);
      }
      each[b] = (now() - start) / (double)(MESSAGES / n * n);
    }
    qsort(each, BLOCKS, sizeof each[0], less);
    printf("%d at once\t%.1f\n", n, each[BLOCKS / 2]);
  }
  MPI_Finalize();
  return 0;
}

// A master and workers on threads, as java_runtime/examples/workers has it.
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS = 200, ASK = 0, NONE = -1, MOST = 10000 };

static int rank_, ranks_, threads = 8;

static int first(int task) { return 5 * task * task; }

static int primes(int from, int to) {
  int count = 0;
  for (int i = from > 2 ? from : 2; i < to; i++) {
    int divisor = 2;
    while (divisor * divisor <= i && i % divisor != 0) divisor++;
    count += divisor * divisor > i;
  }
  return count;
}

static void check(const int64_t* results, const int* done) {
  char* composite = calloc(first(TASKS), 1);
  for (int i = 2; i < first(TASKS); i++)
    for (int64_t k = (int64_t)i * i; !composite[i] && k < first(TASKS); k += i) composite[k] = 1;
  for (int task = 0; task < TASKS; task++) {
    int count = 0;
    for (int i = first(task) > 2 ? first(task) : 2; i < first(task + 1); i++)
      count += !composite[i];
    if (results[task] != count || done[task] != 1) {
      fprintf(stderr, "Task %d was done %d times: %lld primes instead of %d.\n", task, done[task],
              (long long)results[task], count);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  free(composite);
}

static void* master(void* nothing) {
  int64_t results[TASKS] = {0}, asked[3];  // tag of the worker, its task, the result
  int done[TASKS] = {0}, next = 0, *per_rank = calloc(ranks_, sizeof(int));
  for (int left = threads * ranks_; left > 0;) {
    MPI_Message message;
    MPI_Status status;
    MPI_Mprobe(MPI_ANY_SOURCE, ASK, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(asked, 3, MPI_INT64_T, &message, MPI_STATUS_IGNORE);
    if (asked[1] != NONE) {
      results[asked[1]] = asked[2];
      done[asked[1]]++;
      per_rank[status.MPI_SOURCE]++;
    }
    int task = next < TASKS ? next++ : NONE;
    left -= task == NONE;
    MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, (int)asked[0], MPI_COMM_WORLD);
  }
  check(results, done);
  printf("%d tasks are right; by process:", TASKS);
  for (int i = 0; i < ranks_; i++) printf(" %d", per_rank[i]);
  printf("\n");
  free(per_rank);
  return nothing;
}

static void* work(void* tag_) {
  int tag = (int)(intptr_t)tag_, task = NONE;
  int64_t result = 0;
  do {
    int64_t asked[] = {tag, task, result};
    MPI_Send(asked, 3, MPI_INT64_T, 0, ASK, MPI_COMM_WORLD);
    MPI_Recv(&task, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    result = task == NONE ? 0 : primes(first(task), first(task + 1));
  } while (task != NONE);
  return NULL;
}

static void start(pthread_t* thread, void* (*body)(void*), int tag) {
  if (pthread_create(thread, NULL, body, (void*)(intptr_t)tag)) {
    fprintf(stderr, "A thread cannot be started.\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  char* end = "";
  if (argc == 2) threads = (int)strtol(argv[1], &end, 10);
  if (argc > 2 || *end || threads < 1 || threads > MOST || provided < MPI_THREAD_MULTIPLE) {
    fprintf(stderr, "usage: %s [THREADS], at most %d; MPI must have threads\n", argv[0], MOST);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  pthread_t* all = malloc((threads + 1) * sizeof(pthread_t));
  for (int i = 1; i <= threads; i++) start(&all[i], work, ASK + i);
  if (rank_ == 0) {
    start(&all[0], master, 0);
    pthread_join(all[0], NULL);
  }
  for (int i = 1; i <= threads; i++) pthread_join(all[i], NULL);
  free(all);
  MPI_Finalize();
}

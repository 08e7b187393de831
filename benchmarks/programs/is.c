// IS as java_runtime/examples/npb/Is.java: is S|W|A
#include "programs.h"

#define ITERATIONS 10
#define CHECKED 5

static int own, max_key, buckets, shift, first_drift[3];
static int places[CHECKED], ranks[CHECKED];
static int *keys, *sorted, *received, *sizes, *totals, *counts, *next, *to_send, *to_receive, *from,
    *at;
static int room, arrived, least, most, lesser;
static long long right;

static void choose(char size) {
  static const int logs[3][3] = {{16, 11, 9}, {20, 16, 10}, {23, 19, 10}};
  static const int known[3][2][CHECKED] = {
      {{48427, 17148, 23627, 62548, 4431}, {0, 18, 346, 64917, 65463}},
      {{357773, 934767, 875723, 898999, 404505}, {1249, 11698, 1039987, 1043896, 1048018}},
      {{2112377, 662041, 5336171, 3642833, 4250760}, {104, 17523, 123928, 8288932, 8388264}}};
  static const int drifts[3][3] = {{3, 0, 0}, {2, 2, 0}, {3, 1, 1}};
  int i = size == 'S' ? 0 : size == 'W' ? 1 : 2;
  own = (1 << logs[i][0]) / ranks_;
  max_key = 1 << logs[i][1];
  buckets = 1 << logs[i][2];
  shift = logs[i][1] - logs[i][2];
  memcpy(places, known[i][0], sizeof places);
  memcpy(ranks, known[i][1], sizeof ranks);
  memcpy(first_drift, drifts[i], sizeof first_drift);
}

static int* ints(int count) { return calloc((size_t)count, sizeof(int)); }

static double number(uint64_t* x) { return (int64_t)(*x = after(*x, FACTOR)) * SCALE; }

static void prepare(void) {
  keys = ints(own);
  uint64_t x = after(314159265, power(FACTOR, 4ULL * (uint64_t)own * (uint64_t)rank_));
  for (int i = 0; i < own; i++) {
    double sum = number(&x);
    sum += number(&x);
    sum += number(&x);
    sum += number(&x);
    keys[i] = (int)(max_key / 4 * sum);
  }
  sorted = ints(own);
  room = own + own / 2;
  received = ints(room);
  sizes = ints(buckets + CHECKED);
  totals = ints(buckets + CHECKED);
  counts = ints(max_key);
  next = ints(buckets);
  to_send = ints(ranks_);
  to_receive = ints(ranks_);
  from = ints(ranks_);
  at = ints(ranks_);
}

static void exchange(void) {
  int process = 0;
  long long all = 0;
  memset(to_send, 0, sizeof(int) * (size_t)ranks_);
  least = max_key;
  most = -1;
  lesser = 0;
  for (int b = 0; b < buckets; b++) {
    to_send[process] += sizes[b];
    if (process == rank_) {
      if (b << shift < least) least = b << shift;
      most = ((b + 1) << shift) - 1;
    } else if (process < rank_) {
      lesser += totals[b];
    }
    all += totals[b];
    if (all >= (process + 1LL) * own && process < ranks_ - 1) process++;
  }
  MPI_Alltoall(to_send, 1, MPI_INT, to_receive, 1, MPI_INT, MPI_COMM_WORLD);
  arrived = 0;
  for (int i = 0, sent = 0; i < ranks_; i++) {
    from[i] = sent;
    at[i] = arrived;
    sent += to_send[i];
    arrived += to_receive[i];
  }
  if (arrived > room) {
    free(received);
    received = ints(room = arrived);
  }
  MPI_Alltoallv(sorted, to_send, from, MPI_INT, received, to_receive, at, MPI_INT, MPI_COMM_WORLD);
}

static void check(int iteration) {
  for (int i = 0; i < CHECKED; i++) {
    int key = totals[buckets + i];
    if (key >= least && key <= most) {
      int found = lesser + (key > least ? counts[key - least - 1] : 0);
      int wanted = i < first_drift[0] ? ranks[i] + iteration - first_drift[1]
                                      : ranks[i] - iteration + first_drift[2];
      right += found == wanted;
    }
  }
}

static void rank_keys(int iteration) {
  if (rank_ == 0) {
    keys[iteration] = iteration;
    keys[iteration + ITERATIONS] = max_key - iteration;
  }
  memset(sizes, 0, sizeof(int) * (size_t)(buckets + CHECKED));
  for (int i = 0; i < CHECKED; i++)
    if (places[i] / own == rank_) sizes[buckets + i] = keys[places[i] % own];
  for (int i = 0; i < own; i++) sizes[keys[i] >> shift]++;
  next[0] = 0;
  for (int b = 1; b < buckets; b++) next[b] = next[b - 1] + sizes[b - 1];
  for (int i = 0; i < own; i++) sorted[next[keys[i] >> shift]++] = keys[i];
  MPI_Allreduce(sizes, totals, buckets + CHECKED, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  exchange();
  int range = most >= least ? most - least + 1 : 0;
  memset(counts, 0, sizeof(int) * (size_t)range);
  for (int i = 0; i < arrived; i++) counts[received[i] - least]++;
  for (int i = 1; i < range; i++) counts[i] += counts[i - 1];
  check(iteration);
}

static int is_right(void) {
  int* in_order = ints(arrived);
  for (int i = arrived - 1; i >= 0; i--) in_order[--counts[received[i] - least]] = received[i];
  int last = -1, edge = arrived > 0 ? in_order[arrived - 1] : -1;
  if (rank_ < ranks_ - 1) MPI_Send(&edge, 1, MPI_INT, rank_ + 1, 0, MPI_COMM_WORLD);
  if (rank_ > 0) MPI_Recv(&last, 1, MPI_INT, rank_ - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  long long results[3] = {right, 0, arrived};
  for (int i = 0; i < arrived; i++) {
    results[1] += in_order[i] < last;
    last = in_order[i];
  }
  free(in_order);
  MPI_Allreduce(MPI_IN_PLACE, results, 3, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  return results[0] == CHECKED * ITERATIONS && results[1] == 0 &&
         results[2] == (long long)own * ranks_;
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  choose(argv[1][0]);
  prepare();
  rank_keys(1);  // not measured
  right = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  double before = now();
  for (int i = 1; i <= ITERATIONS; i++) rank_keys(i);
  double spent = now() - before;
  finish("IS", argv[1], spent, is_right());
}

// The heat equation on a square plate by Jacobi's iteration, as java_runtime/examples/heat has it.
#include "programs.h"

enum { ASKED = 50, SIDES = 4 };

static MPI_Comm grid;
static int points, steps, top, left, rows, columns, width;
static double *now_, *next, *out[SIDES], *in[SIDES], residual;
static int neighbors[SIDES];
static MPI_Request messages[2 * SIDES];

static void divide(void) {
  int dims[2] = {0, 0}, periods[2] = {0, 0}, coords[2], rank;
  MPI_Dims_create(ranks_, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, coords);
  MPI_Cart_shift(grid, 0, 1, &neighbors[0], &neighbors[1]);
  MPI_Cart_shift(grid, 1, 1, &neighbors[2], &neighbors[3]);
  top = points * coords[0] / dims[0];
  left = points * coords[1] / dims[1];
  rows = points * (coords[0] + 1) / dims[0] - top;
  columns = points * (coords[1] + 1) / dims[1] - left;
  width = columns + 2;
  for (int side = 0; side < SIDES; side++) {
    int length = side < 2 ? columns : rows;
    out[side] = malloc(length * sizeof(double));
    in[side] = malloc(length * sizeof(double));
    MPI_Recv_init(in[side], length, MPI_DOUBLE, neighbors[side], side ^ 1, grid, &messages[side]);
    MPI_Send_init(out[side], length, MPI_DOUBLE, neighbors[side], side, grid,
                  &messages[SIDES + side]);
  }
}

static void fill(void) {
  size_t bytes = (size_t)(rows + 2) * width * sizeof(double);
  now_ = malloc(bytes);
  next = malloc(bytes);
  for (int i = 0; i <= rows + 1; i++)
    for (int j = 0; j <= columns + 1; j++) {
      int row = top + i, column = left + j;
      int edge = row == 0 || row == points + 1 || column == 0 || column == points + 1;
      now_[i * width + j] = edge ? row == 0 : (7 * row + 13 * column) % 31 / 31.0;
    }
  memcpy(next, now_, bytes);
}

static void copy(int side, double* field, int arrived) {
  if (neighbors[side] == MPI_PROC_NULL) return;
  int firsts[SIDES] = {width * (1 - arrived) + 1, width * (rows + arrived) + 1, width + 1 - arrived,
                       width + columns + arrived};
  int stride = side < 2 ? 1 : width, length = side < 2 ? columns : rows;
  double* edge = arrived ? in[side] : out[side];
  for (int i = 0; i < length; i++) {
    double* point = field + firsts[side] + i * stride;
    if (arrived)
      *point = edge[i];
    else
      edge[i] = *point;
  }
}

static void relax(int first_row, int last_row, int first_column, int last_column) {
  for (int i = first_row; i <= last_row; i++)
    for (int at = i * width + first_column; at <= i * width + last_column; at++)
      next[at] = 0.25 * (now_[at - width] + now_[at + width] + now_[at - 1] + now_[at + 1]);
}

static double change(void) {
  double most = 0;
  for (int i = 1; i <= rows; i++)
    for (int at = i * width + 1; at <= i * width + columns; at++) {
      double moved = fabs(next[at] - now_[at]);
      if (moved > most) most = moved;
    }
  return most;
}

static void run(void) {
  for (int step = 1; step <= steps; step++) {
    for (int side = 0; side < SIDES; side++) copy(side, now_, 0);
    MPI_Startall(2 * SIDES, messages);
    relax(2, rows - 1, 2, columns - 1);
    MPI_Waitall(2 * SIDES, messages, MPI_STATUSES_IGNORE);
    for (int side = 0; side < SIDES; side++) copy(side, now_, 1);
    relax(1, 1, 1, columns);
    relax(rows > 2 ? rows : 2, rows, 1, columns);
    relax(2, rows - 1, 1, 1);
    relax(2, rows - 1, columns > 2 ? columns : 2, columns);
    if (step % ASKED == 0) {
      residual = change();
      MPI_Allreduce(MPI_IN_PLACE, &residual, 1, MPI_DOUBLE, MPI_MAX, grid);
    }
    double* old = now_;
    now_ = next;
    next = old;
  }
}

static int right(uint64_t known) {
  uint64_t sum = 0;
  for (int i = 1; i <= rows; i++)
    for (int j = 1; j <= columns; j++) {
      uint64_t bits, place = (uint64_t)(top + i) * points + left + j;
      memcpy(&bits, &now_[i * width + j], sizeof bits);
      sum += bits * (2 * place + 1);
    }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, grid);
  if (rank_ == 0)
    printf("checksum %016llx, last change %.12e\n", (unsigned long long)sum, residual);
  return sum == known;
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  char size = argv[1][0];
  points = size == 'S' ? 128 : size == 'W' ? 512 : 1024;
  steps = size == 'S' ? 200 : size == 'W' ? 500 : 1000;
  divide();
  fill();
  MPI_Barrier(MPI_COMM_WORLD);
  double before = now();
  run();
  double spent = now() - before;
  uint64_t known[] = {0x9cb4568659987d89, 0xcb69ea75ab6a4452, 0x02a7ecc1bf57f93e};
  int fine = right(known[size == 'S' ? 0 : size == 'W' ? 1 : 2]);
  for (int i = 0; i < 2 * SIDES; i++) MPI_Request_free(&messages[i]);
  finish("HEAT", argv[1], spent, fine);
}

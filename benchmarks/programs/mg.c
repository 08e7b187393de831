// MG of npb, as java_runtime/examples/npb has it.
#include "programs.h"

#define CHARGES 10
#define ITERATIONS 4
#define MOST 10

struct grid {
  int side, width, first, last, *firsts, *lasts;
};

struct value {
  double value;
  long place;
};

static int side, levels;
static struct grid grids[MOST];
static double **u[MOST], **r[MOST], **v, *near, *far, norm;

static int planes(const struct grid* g) { return g->last - g->first + 1; }

static void place(struct grid* g, int points) {
  g->side = points;
  g->width = points + 2;
  g->firsts = malloc(ranks_ * sizeof(int));
  g->lasts = malloc(ranks_ * sizeof(int));
}

static void divide(void) {
  while (1 << levels < side) levels++;
  for (int level = levels - 1; level >= 0; level--) {
    struct grid* g = &grids[level];
    place(g, side >> (levels - 1 - level));
    for (int i = 0; i < ranks_; i++) {
      g->firsts[i] = level == levels - 1 ? side * i / ranks_ + 1 : (g[1].firsts[i] + 1) / 2;
      g->lasts[i] = level == levels - 1 ? side * (i + 1) / ranks_ : g[1].lasts[i] / 2;
    }
    g->first = g->firsts[rank_];
    g->last = g->lasts[rank_];
  }
}

static double** field(const struct grid* g) {
  int count = planes(g) + 2;
  double** result = malloc(count * sizeof(double*));
  for (int i = 0; i < count; i++) {
    result[i] = malloc(g->width * g->width * sizeof(double));
    memset(result[i], 0, g->width * g->width * sizeof(double));
  }
  return result;
}

static void give(const struct grid* g, double** f, int process, int tag, int wanted,
                 MPI_Request* pending, int* count) {
  int plane = (wanted + g->side - 1) % g->side + 1, owner = 0, length = g->width * g->width;
  while (plane < g->firsts[owner] || plane > g->lasts[owner]) owner++;
  double* to = process == rank_ ? f[tag == 0 ? 0 : planes(g) + 1] : NULL;
  double* from = owner == rank_ ? f[plane - g->first + 1] : NULL;
  if (from && to)
    memcpy(to, from, length * sizeof(double));
  else if (to)
    MPI_Irecv(to, length, MPI_DOUBLE, owner, tag, MPI_COMM_WORLD, &pending[(*count)++]);
  else if (from)
    MPI_Isend(from, length, MPI_DOUBLE, process, tag, MPI_COMM_WORLD, &pending[(*count)++]);
}

static void exchange(const struct grid* g, double** f) {
  int width = g->width, n = g->side, count = 0;
  for (int i = 1; i <= planes(g); i++) {
    double* plane = f[i];
    for (int row = width; row < width * (width - 1); row += width) {
      plane[row] = plane[row + n];
      plane[row + n + 1] = plane[row + 1];
    }
    memcpy(plane, plane + width * n, width * sizeof(double));
    memcpy(plane + width * (n + 1), plane + width, width * sizeof(double));
  }
  MPI_Request pending[2 * ranks_ + 2];
  for (int process = 0; process < ranks_; process++) {
    give(g, f, process, 0, g->firsts[process] - 1, pending, &count);
    give(g, f, process, 1, g->lasts[process] + 1, pending, &count);
  }
  MPI_Waitall(count, pending, MPI_STATUSES_IGNORE);
}

static int worst(const struct value* kept, int sign) {
  int found = 0;
  for (int i = 1; i < CHARGES; i++)
    if (sign * (kept[i].value - kept[found].value) < 0) found = i;
  return found;
}

// Keeps a value in the place of the worst one; what the worst one is then.
static double offer(struct value* kept, int sign, double value, long at) {
  kept[worst(kept, sign)] = (struct value){value, at};
  return kept[worst(kept, sign)].value;
}

static void charge(void) {
  struct grid* g = &grids[levels - 1];
  struct value kept[2][CHARGES];
  double least = 2, greatest = -1;  // of those that are kept: the one that goes first
  for (int i = 0; i < CHARGES; i++) {
    kept[0][i] = (struct value){2, 0};
    kept[1][i] = (struct value){-1, 0};
  }
  uint64_t x = 314159265;
  for (long at = 0; at < (long)side * side * side; at++) {
    x = after(x, FACTOR);
    double value = x * SCALE;
    if (value < least) least = offer(kept[0], -1, value, at);
    if (value > greatest) greatest = offer(kept[1], 1, value, at);
  }
  for (int i = 0; i < 2 * CHARGES; i++) {
    long at = kept[i / CHARGES][i % CHARGES].place, plane = at / side / side + 1;
    if (plane >= g->first && plane <= g->last)
      v[plane - g->first + 1][(at / side % side + 1) * g->width + at % side + 1] =
          i < CHARGES ? -1 : 1;
  }
  exchange(g, v);
}

static void prepare(void) {
  divide();
  for (int level = 0; level < levels; level++) {
    u[level] = field(&grids[level]);
    r[level] = field(&grids[level]);
  }
  near = malloc((side + 2) * sizeof(double));
  far = malloc((side + 2) * sizeof(double));
  v = field(&grids[levels - 1]);
  charge();
}

static void clear(const struct grid* g, double** f) {
  for (int i = 0; i < planes(g) + 2; i++) memset(f[i], 0, g->width * g->width * sizeof(double));
}

static void add(double** f, int row, int width) {
  const double *below = f[-1], *here = f[0], *above = f[1];
  for (int x = 0; x < width; x++) {
    int at = row + x;
    near[x] = here[at - width] + here[at + width] + below[at] + above[at];
    far[x] = below[at - width] + below[at + width] + above[at - width] + above[at + width];
  }
}

static void residual(const struct grid* g, double** from, double** charges, double** result) {
  for (int z = 1; z <= planes(g); z++)
    for (int row = g->width; row < g->width * (g->width - 1); row += g->width) {
      add(from + z, row, g->width);
      const double *here = from[z] + row, *wanted = charges[z] + row;
      double* to = result[z] + row;
      for (int x = 1; x <= g->side; x++)
        to[x] = wanted[x] + 8.0 / 3.0 * here[x] - 1.0 / 6.0 * (far[x] + near[x - 1] + near[x + 1]) -
                1.0 / 12.0 * (far[x - 1] + far[x + 1]);
    }
  exchange(g, result);
}

static void smooth(const struct grid* g, double** from, double** result) {
  for (int z = 1; z <= planes(g); z++)
    for (int row = g->width; row < g->width * (g->width - 1); row += g->width) {
      add(from + z, row, g->width);
      const double* here = from[z] + row;
      double* to = result[z] + row;
      for (int x = 1; x <= g->side; x++)
        to[x] += -3.0 / 8.0 * here[x] + 1.0 / 32.0 * (here[x - 1] + here[x + 1] + near[x]) -
                 1.0 / 64.0 * (far[x] + near[x - 1] + near[x + 1]);
    }
  exchange(g, result);
}

static void restricted(int level) {
  struct grid *fine = &grids[level], *coarse = &grids[level - 1];
  for (int z = coarse->first; z <= coarse->last; z++) {
    double** from = r[level] + 2 * z - fine->first + 1;
    for (int y = 1; y <= coarse->side; y++) {
      int row = 2 * y * fine->width;
      add(from, row, fine->width);
      const double* here = from[0] + row;
      double* to = r[level - 1][z - coarse->first + 1] + y * coarse->width;
      for (int x = 1; x <= coarse->side; x++) {
        int at = 2 * x;
        to[x] = 0.5 * here[at] + 0.25 * (here[at - 1] + here[at + 1] + near[at]) +
                0.125 * (near[at - 1] + near[at + 1] + far[at]) +
                0.0625 * (far[at - 1] + far[at + 1]);
      }
    }
  }
  exchange(coarse, r[level - 1]);
}

static void interpolate(int level) {
  struct grid *fine = &grids[level], *coarse = &grids[level - 1];
  for (int z = fine->first; z <= fine->last; z++) {
    const double *below = u[level - 1][z / 2 - coarse->first + 1],
                 *above = u[level - 1][(z + 1) / 2 - coarse->first + 1];
    for (int y = 1; y <= fine->side; y++) {
      int south = y / 2 * coarse->width, north = (y + 1) / 2 * coarse->width;
      for (int x = 0; x < coarse->width; x++)
        near[x] =
            0.25 * (below[south + x] + below[north + x] + above[south + x] + above[north + x]);
      double* to = u[level][z - fine->first + 1] + y * fine->width;
      for (int x = 1; x <= coarse->side; x++) {
        to[2 * x - 1] += 0.5 * (near[x - 1] + near[x]);
        to[2 * x] += near[x];
      }
    }
  }
  exchange(fine, u[level]);
}

static void cycle(void) {
  for (int level = levels - 1; level > 0; level--) restricted(level);
  clear(&grids[0], u[0]);
  smooth(&grids[0], r[0], u[0]);
  for (int level = 1; level < levels; level++) {
    int top = level == levels - 1;
    if (!top) clear(&grids[level], u[level]);
    interpolate(level);
    residual(&grids[level], u[level], top ? v : r[level], r[level]);
    smooth(&grids[level], r[level], u[level]);
  }
}

static void run(void) {
  int top = levels - 1;
  struct grid* g = &grids[top];
  residual(g, u[top], v, r[top]);
  for (int i = 0; i < ITERATIONS; i++) {
    cycle();
    residual(g, u[top], v, r[top]);
  }
  double sum = 0;
  for (int z = 1; z <= planes(g); z++)
    for (int y = 1; y <= side; y++)
      for (int x = 1; x <= side; x++) {
        double value = r[top][z][y * g->width + x];
        sum += value * value;
      }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  norm = sqrt(sum / ((double)side * side * side));
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  double officials[] = {0.5307707005734e-4, 0.6467329375339e-5, 0.2433365309069e-5};
  int size = argv[1][0] == 'S' ? 0 : argv[1][0] == 'W' ? 1 : 2;
  side = size == 0 ? 32 : size == 1 ? 128 : 256;
  prepare();
  MPI_Barrier(MPI_COMM_WORLD);
  double before = now();
  run();
  double spent = now() - before;
  finish("MG", argv[1], spent, fabs(norm - officials[size]) <= 1e-8 * officials[size]);
}

// CG as java_runtime/examples/npb/Cg.java and Matrix.java: cg S|W|A
#include "programs.h"

#define STEPS 25
#define ITERATIONS 15
#define CONDITION 0.1

static int order, nonzeros, first, rows;
static double shift, official, zeta;
static int *shares, *begins, *starts, *columns;
static double *values, *all, *x, *z, *r, *p, *q;

static double number(uint64_t* seed) { return (int64_t)(*seed = after(*seed, FACTOR)) * SCALE; }

static int index_of(const int* places, int length, int place) {
  for (int i = 0; i < length; i++)
    if (places[i] == place) return i;
  return -1;
}

// A row for each vector: random elements in random places, and 0.5 in its own.
static void make_vectors(int* lengths, int* places, double* vectors) {
  uint64_t seed = after(314159265, FACTOR);
  int size = 1, width = nonzeros + 1;
  while (size < order) size *= 2;
  for (int i = 0; i < order; i++) {
    int* place = places + i * width;
    double* vector = vectors + i * width;
    int length = 0;
    while (length < nonzeros) {
      double value = number(&seed);
      int at = (int)(size * number(&seed));
      if (at < order && index_of(place, length, at) < 0) {
        place[length] = at;
        vector[length++] = value;
      }
    }
    int own = index_of(place, length, i);
    if (own < 0) own = length++;
    place[own] = i;
    vector[own] = 0.5;
    lengths[i] = length;
  }
}

// Adds to an element of a row, whose columns are in order; how many elements the row has more.
static int add(int* row_columns, double* row_values, int length, int column, double value) {
  int at = length;
  while (at > 0 && row_columns[at - 1] >= column) at--;
  if (at < length && row_columns[at] == column) {
    row_values[at] += value;
    return 0;
  }
  memmove(row_columns + at + 1, row_columns + at, sizeof(int) * (size_t)(length - at));
  memmove(row_values + at + 1, row_values + at, sizeof(double) * (size_t)(length - at));
  row_columns[at] = column;
  row_values[at] = value;
  return 1;
}

static void make_matrix(void) {
  int width = nonzeros + 1;
  int* lengths = calloc((size_t)order, sizeof(int));
  int* places = calloc((size_t)order * (size_t)width, sizeof(int));
  double* vectors = calloc((size_t)order * (size_t)width, sizeof(double));
  int* room = calloc((size_t)rows + 1, sizeof(int));
  make_vectors(lengths, places, vectors);
  for (int i = 0; i < order; i++)
    for (int a = 0; a < lengths[i]; a++) {
      int row = places[i * width + a] - first;
      if (row >= 0 && row < rows) room[row + 1] += lengths[i];
    }
  for (int i = 0; i < rows; i++) room[i + 1] += room[i];
  int* room_columns = calloc((size_t)room[rows], sizeof(int));
  double* room_values = calloc((size_t)room[rows], sizeof(double));
  int* filled = calloc((size_t)rows, sizeof(int));
  double weight = 1, ratio = pow(CONDITION, 1.0 / order);
  for (int i = 0; i < order; i++, weight *= ratio)
    for (int a = 0; a < lengths[i]; a++) {
      int column = places[i * width + a], row = column - first;
      if (row < 0 || row >= rows) continue;
      double scale = weight * vectors[i * width + a];
      for (int b = 0; b < lengths[i]; b++) {
        double value = vectors[i * width + b] * scale;
        if (places[i * width + b] == column && column == i) value += CONDITION - shift;
        filled[row] += add(room_columns + room[row], room_values + room[row], filled[row],
                           places[i * width + b], value);
      }
    }
  starts = calloc((size_t)rows + 1, sizeof(int));
  for (int i = 0; i < rows; i++) starts[i + 1] = starts[i] + filled[i];
  columns = calloc((size_t)starts[rows], sizeof(int));
  values = calloc((size_t)starts[rows], sizeof(double));
  for (int i = 0; i < rows; i++) {
    memcpy(columns + starts[i], room_columns + room[i], sizeof(int) * (size_t)filled[i]);
    memcpy(values + starts[i], room_values + room[i], sizeof(double) * (size_t)filled[i]);
  }
  free(lengths), free(places), free(vectors), free(room), free(room_columns), free(room_values),
      free(filled);
}

static double dot(const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < rows; i++) sum += a[i] * b[i];
  return sum;
}

static double sum_of(double own) {
  MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return own;
}

static void multiply(const double* own, double* product) {
  MPI_Allgatherv(own, rows, MPI_DOUBLE, all, shares, begins, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int k = starts[i]; k < starts[i + 1]; k++) sum += values[k] * all[columns[k]];
    product[i] = sum;
  }
}

// Solves A z = x, nearly.
static void solve(void) {
  memset(z, 0, sizeof(double) * (size_t)rows);
  memcpy(r, x, sizeof(double) * (size_t)rows);
  memcpy(p, x, sizeof(double) * (size_t)rows);
  double rho = sum_of(dot(r, r));
  for (int step = 0; step < STEPS; step++) {
    multiply(p, q);
    double alpha = rho / sum_of(dot(p, q));
    for (int i = 0; i < rows; i++) {
      z[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    double before = rho;
    rho = sum_of(dot(r, r));
    double beta = rho / before;
    for (int i = 0; i < rows; i++) p[i] = r[i] + beta * p[i];
  }
  multiply(z, q);  // the benchmark measures the residual, too
  double residual = 0;
  for (int i = 0; i < rows; i++) residual += (x[i] - q[i]) * (x[i] - q[i]);
  if (sqrt(sum_of(residual)) > 1) MPI_Abort(MPI_COMM_WORLD, 1);
}

static void iterate(void) {
  solve();
  double products[2] = {dot(x, z), dot(z, z)};
  MPI_Allreduce(MPI_IN_PLACE, products, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  zeta = shift + 1 / products[0];
  double scale = 1 / sqrt(products[1]);
  for (int i = 0; i < rows; i++) x[i] = scale * z[i];
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  char size = argv[1][0];
  order = size == 'S' ? 1400 : size == 'W' ? 7000 : 14000;
  nonzeros = size == 'S' ? 7 : size == 'W' ? 8 : 11;
  shift = size == 'S' ? 10 : size == 'W' ? 12 : 20;
  official = size == 'S' ? 8.5971775078648 : size == 'W' ? 10.362595087124 : 17.130235054029;
  shares = calloc((size_t)ranks_, sizeof(int));
  begins = calloc((size_t)ranks_ + 1, sizeof(int));
  for (int i = 0; i < ranks_; i++) {
    begins[i + 1] = (int)((long long)order * (i + 1) / ranks_);
    shares[i] = begins[i + 1] - begins[i];
  }
  first = begins[rank_];
  rows = shares[rank_];
  make_matrix();
  all = calloc((size_t)order, sizeof(double));
  double** vectors[] = {&x, &z, &r, &p, &q};
  for (int i = 0; i < 5; i++) *vectors[i] = calloc((size_t)rows, sizeof(double));
  for (int i = 0; i < rows; i++) x[i] = 1;
  iterate();  // not measured
  for (int i = 0; i < rows; i++) x[i] = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  double before = now();
  for (int i = 0; i < ITERATIONS; i++) iterate();
  double spent = now() - before;
  finish("CG", argv[1], spent, fabs((zeta - official) / official) <= 1e-10);
}

// FT of npb, as java_runtime/examples/npb has it.
#include "programs.h"

#define BATCH 16
#define ITERATIONS 6

static const double officials[3][2 * ITERATIONS] = {
    {554.6087004964, 484.5363331978, 554.6385409189, 486.5304269511, 554.6148406171, 488.3910722336,
     554.5423607415, 490.1273169046, 554.4255039624, 491.7475857993, 554.2683411902,
     493.2597244941},
    {567.3612178944, 529.3246849175, 563.1436885271, 528.2149986629, 559.4024089970, 527.0996558037,
     556.0698047020, 526.0027904925, 553.0898991250, 524.9400845633, 550.4159734538,
     523.9212247086},
    {504.6735008193, 511.4047905510, 505.9412319734, 509.8809666433, 506.9376896287, 509.8144042213,
     507.7892868474, 510.1336130759, 508.5233095391, 510.4914655194, 509.1487099959,
     510.7917842803}};

struct fft {
  int length;
  double *cosines, *sines, *re, *im, *next_re, *next_im;
};

static int nx, ny, nz, first_z, planes, first_y, rows;
static struct fft along_x, along_y, along_z;
static int *starts, *row_counts, *row_places, *plane_counts, *plane_places;
static double *space, *exchanged, *spectrum, *evolved, *factors, found[2 * ITERATIONS];

static double* numbers(size_t count) { return malloc(count * sizeof(double)); }

static struct fft make(int length) {
  struct fft f = {length,
                  numbers(length / 2),
                  numbers(length / 2),
                  numbers(length * BATCH),
                  numbers(length * BATCH),
                  numbers(length * BATCH),
                  numbers(length * BATCH)};
  for (int i = 0; i < length / 2; i++) {
    f.cosines[i] = cos(2 * M_PI * i / length);
    f.sines[i] = sin(2 * M_PI * i / length);
  }
  return f;
}

static void combine(const double* re, const double* im, double* to_re, double* to_im, int first,
                    int half, int count, double cosine, double sine) {
  int to = 2 * first;
  for (int k = 0; k < count; k++) {
    double a = re[first + k], b = im[first + k], c = re[first + half + k], d = im[first + half + k];
    to_re[to + k] = a + c;
    to_im[to + k] = b + d;
    double x = a - c, y = b - d;
    to_re[to + count + k] = x * cosine - y * sine;
    to_im[to + count + k] = x * sine + y * cosine;
  }
}

static void transform(struct fft* f, double* data, int first, int step, int behind, int sign) {
  int length = f->length;
  double *re = f->re, *im = f->im, *next_re = f->next_re, *next_im = f->next_im;
  for (int i = 0; i < length; i++) {
    int from = 2 * (first + i * step);
    for (int b = 0; b < BATCH; b++) {
      re[i * BATCH + b] = data[from + 2 * b * behind];
      im[i * BATCH + b] = data[from + 2 * b * behind + 1];
    }
  }
  for (int span = 1; span < length; span *= 2) {
    for (int i = 0; i < length / 2; i += span)
      combine(re, im, next_re, next_im, i * BATCH, length / 2 * BATCH, span * BATCH, f->cosines[i],
              sign * f->sines[i]);
    double* old = re;
    re = next_re;
    next_re = old;
    old = im;
    im = next_im;
    next_im = old;
  }
  for (int i = 0; i < length; i++) {
    int to = 2 * (first + i * step);
    for (int b = 0; b < BATCH; b++) {
      data[to + 2 * b * behind] = re[i * BATCH + b];
      data[to + 2 * b * behind + 1] = im[i * BATCH + b];
    }
  }
}

static void divide(void) {
  first_z = nz * rank_ / ranks_;
  planes = nz * (rank_ + 1) / ranks_ - first_z;
  first_y = ny * rank_ / ranks_;
  rows = ny * (rank_ + 1) / ranks_ - first_y;
  int** tables[] = {&starts, &row_counts, &row_places, &plane_counts, &plane_places};
  for (int i = 0; i < 5; i++) *tables[i] = calloc(ranks_ + 1, sizeof(int));
  for (int i = 0; i < ranks_; i++) {
    starts[i + 1] = ny * (i + 1) / ranks_;
    row_counts[i] = 2 * nx * planes * (starts[i + 1] - starts[i]);
    row_places[i + 1] = row_places[i] + row_counts[i];
    plane_counts[i] = 2 * nx * rows * (nz * (i + 1) / ranks_ - nz * i / ranks_);
    plane_places[i + 1] = plane_places[i] + plane_counts[i];
  }
}

static double square(int index, int length) {
  double frequency = index < length / 2 ? index : index - length;
  return frequency * frequency;
}

static void prepare(void) {
  along_x = make(nx);
  along_y = make(ny);
  along_z = make(nz);
  size_t count = 2 * (size_t)nx * ny * planes, all = 2 * (size_t)nx * rows * nz, at = 0;
  space = numbers(count);
  exchanged = numbers(count);
  spectrum = numbers(all);
  evolved = numbers(all);
  factors = numbers(all / 2);
  memset(exchanged, 0, count * sizeof(double));
  memset(spectrum, 0, all * sizeof(double));
  memset(evolved, 0, all * sizeof(double));
  uint64_t x = after(314159265, power(FACTOR, 2ULL * nx * ny * first_z));
  for (size_t i = 0; i < count; i++) {
    x = after(x, FACTOR);
    space[i] = x * SCALE;
  }
  for (int z = 0; z < nz; z++)
    for (int y = first_y; y < first_y + rows; y++)
      for (int i = 0; i < nx; i++)
        factors[at++] = exp(-4e-6 * M_PI * M_PI * (square(i, nx) + square(y, ny) + square(z, nz)));
}

static void in_planes(int sign) {
  for (int z = 0; z < planes; z++) {
    int plane = z * ny * nx;
    for (int y = 0; y < ny; y += BATCH) transform(&along_x, space, plane + y * nx, 1, nx, sign);
    for (int x = 0; x < nx; x += BATCH) transform(&along_y, space, plane + x, nx, 1, sign);
  }
}

static void across_planes(double* data, int sign) {
  for (int first = 0; first < rows * nx; first += BATCH)
    transform(&along_z, data, first, rows * nx, 1, sign);
}

static void copy_rows(int to_exchange) {
  double* part = exchanged;
  for (int process = 0; process < ranks_; process++) {
    int length = 2 * nx * (starts[process + 1] - starts[process]);
    for (int z = 0; z < planes; z++) {
      double* place = space + 2 * nx * (z * ny + starts[process]);
      if (to_exchange)
        memcpy(part, place, length * sizeof(double));
      else
        memcpy(place, part, length * sizeof(double));
      part += length;
    }
  }
}

static void evolve(void) {
  int count = nx * rows * nz;
  for (int i = 0; i < count; i++) {
    double re = spectrum[2 * i] * factors[i], im = spectrum[2 * i + 1] * factors[i];
    spectrum[2 * i] = re;
    spectrum[2 * i + 1] = im;
    evolved[2 * i] = re;
    evolved[2 * i + 1] = im;
  }
}

static void sum(double* result) {
  double own[2] = {0, 0}, all = (double)nx * ny * nz;
  for (int j = 1; j <= 1024; j++) {
    int z = 5 * j % nz - first_z;
    if (z < 0 || z >= planes) continue;
    int place = 2 * ((z * ny + 3 * j % ny) * nx + j % nx);
    own[0] += space[place];
    own[1] += space[place + 1];
  }
  MPI_Allreduce(own, result, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  result[0] /= all;
  result[1] /= all;
}

static void run(void) {
  in_planes(1);
  copy_rows(1);
  MPI_Alltoallv(exchanged, row_counts, row_places, MPI_DOUBLE, spectrum, plane_counts, plane_places,
                MPI_DOUBLE, MPI_COMM_WORLD);
  across_planes(spectrum, 1);
  for (int i = 0; i < ITERATIONS; i++) {
    evolve();
    across_planes(evolved, -1);
    MPI_Alltoallv(evolved, plane_counts, plane_places, MPI_DOUBLE, exchanged, row_counts,
                  row_places, MPI_DOUBLE, MPI_COMM_WORLD);
    copy_rows(0);
    in_planes(-1);
    sum(found + 2 * i);
  }
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  int sides[3][3] = {{64, 64, 64}, {128, 128, 32}, {256, 256, 128}};
  int size = argv[1][0] == 'S' ? 0 : argv[1][0] == 'W' ? 1 : 2;
  nx = sides[size][0];
  ny = sides[size][1];
  nz = sides[size][2];
  divide();
  prepare();
  MPI_Barrier(MPI_COMM_WORLD);
  double before = now();
  run();
  double spent = now() - before;
  int right = 1;
  const double* official = officials[size];
  for (int i = 0; i < 2 * ITERATIONS; i += 2) {
    double off = hypot(found[i] - official[i], found[i + 1] - official[i + 1]);
    right &= off <= 1e-12 * hypot(official[i], official[i + 1]);
  }
  finish("FT", argv[1], spent, right);
}

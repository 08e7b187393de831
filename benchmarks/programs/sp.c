// SP of npb, as java_runtime/examples/npb has it.
#include "programs.h"

enum { PARTS = 5, SPEEDS = 3, AROUND = 2, BLOCK = 8, PASSED = PARTS + 2 * SPEEDS };

static const double HEATS = 1.4, VISCOSITY = 0.1, PRANDTL = 1.4 * 1.4, DISSIPATION = 0.25;
static const double diffusions[] = {0.75, 0.75, 1};
static const double solution[PARTS][13] = {
    {2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
    {1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
    {2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
    {2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
    {5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2}};
static const double officials[3][2 * PARTS] = {
    {2.7470315451339479e-2, 1.0360746705285417e-2, 1.6235745065095532e-2, 1.5840557224455615e-2,
     3.4849040609362460e-2, 2.7289258557377227e-5, 1.0364446640837285e-5, 1.6154798287166471e-5,
     1.5750704994480102e-5, 3.4177666183390531e-5},
    {0.1893253733584e-2, 0.1717075447775e-3, 0.2778153350936e-3, 0.2887475409984e-3,
     0.3143611161242e-2, 0.7542088599534e-4, 0.6512852253086e-5, 0.1049092285688e-4,
     0.1128838671535e-4, 0.1212845639773e-3},
    {2.4799822399300195, 1.1276337964368832, 1.5028977888770491, 1.4217816211695179,
     2.1292113035138280, 1.0900140297820550e-4, 3.7343951769282091e-5, 5.0092785406541633e-5,
     4.7671093939528255e-5, 1.3621613399213001e-4}};

static int side, plane, steps, first, last, first_inside, last_inside, below, above;
static double step_time;
static double *u[PARTS], *forcing[PARTS], *right[PARTS], *velocity[3];
static double *volume, *kinetic, *per_mass, *sound, *pressure, *heat, *square, *carried;
static double *next[SPEEDS], *second[SPEEDS], *before, *inverse;
static double *turned[3 + PASSED], *packets[2];
static int packet_length;

static double* numbers(size_t count) { return calloc(count, sizeof(double)); }

static double* field(void) { return numbers((size_t)(last - first + 1 + 2 * AROUND) * plane); }

static int at_row(int z, int y) { return (z - first + AROUND) * plane + y * side; }

static void divide(void) {
  if (ranks_ > side / AROUND) {
    if (rank_ == 0) fprintf(stderr, "SP of this class needs at most %d ranks.\n", side / AROUND);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  plane = side * side;
  first = side * rank_ / ranks_;
  last = side * (rank_ + 1) / ranks_ - 1;
  first_inside = first > 1 ? first : 1;
  last_inside = last < side - 2 ? last : side - 2;
  below = rank_ == 0 ? MPI_PROC_NULL : rank_ - 1;
  above = rank_ == ranks_ - 1 ? MPI_PROC_NULL : rank_ + 1;
  for (int i = 0; i < PARTS; i++) {
    u[i] = field();
    forcing[i] = field();
    right[i] = field();
  }
  for (int i = 0; i < (last - first + 1 + 2 * AROUND) * plane; i++) u[0][i] = u[4][i] = 1;
  for (int i = 0; i < 3; i++) velocity[i] = field();
  for (int i = 0; i < SPEEDS; i++) {
    next[i] = field();
    second[i] = field();
  }
  double** more[] = {&volume, &kinetic, &per_mass, &sound, &pressure, &heat, &square, &carried};
  for (int i = 0; i < 8; i++) *more[i] = field();
  before = numbers(plane);
  inverse = numbers(plane);
  for (int i = 0; i < 3 + PASSED; i++) turned[i] = numbers(side * (side + 2));
  packet_length = PASSED * AROUND * BLOCK * side;
  for (int i = 0; i < 2; i++)
    packets[i] = numbers((size_t)packet_length * ((side + BLOCK) / BLOCK));
}

static void exchange(void) {
  MPI_Request pending[4 * PARTS];
  int count = AROUND * plane, n = 0;
  for (int i = 0; i < PARTS; i++) {
    MPI_Irecv(u[i] + at_row(first - AROUND, 0), count, MPI_DOUBLE, below, i, MPI_COMM_WORLD,
              &pending[n++]);
    MPI_Irecv(u[i] + at_row(last + 1, 0), count, MPI_DOUBLE, above, i, MPI_COMM_WORLD,
              &pending[n++]);
  }
  for (int i = 0; i < PARTS; i++) {
    MPI_Isend(u[i] + at_row(first, 0), count, MPI_DOUBLE, below, i, MPI_COMM_WORLD, &pending[n++]);
    MPI_Isend(u[i] + at_row(last + 1 - AROUND, 0), count, MPI_DOUBLE, above, i, MPI_COMM_WORLD,
              &pending[n++]);
  }
  MPI_Waitall(n, pending, MPI_STATUSES_IGNORE);
}

static void refresh(void) {
  exchange();
  for (int at = at_row(first - 1, 0); at < at_row(last + 2, 0); at++) {
    volume[at] = 1 / u[0][at];
    for (int i = 0; i < 3; i++) velocity[i][at] = u[i + 1][at] * volume[at];
    double x = u[1][at], y = u[2][at], z = u[3][at];
    kinetic[at] = 0.5 * (x * x + y * y + z * z) * volume[at];
    per_mass[at] = kinetic[at] * volume[at];
    pressure[at] = u[4][at] - kinetic[at];
    sound[at] = sqrt(HEATS * (HEATS - 1) * volume[at] * pressure[at]);
    heat[at] = u[4][at] * volume[at];
  }
}

static void curve(double* restrict change, const double* of, double factor, int from, int end,
                  int step) {
  for (int at = from; at < end; at++)
    change[at] += factor * (of[at + step] - 2 * of[at] + of[at - step]);
}

static void slope(double* restrict change, const double* of, double factor, int from, int end,
                  int step) {
  for (int at = from; at < end; at++) change[at] -= factor * (of[at + step] - of[at - step]);
}

static void slope_of_product(double* restrict change, const double* a, const double* b,
                             double factor, int from, int end, int step) {
  for (int at = from; at < end; at++)
    change[at] -= factor * (a[at + step] * b[at + step] - a[at - step] * b[at - step]);
}

static void add_fluxes(double** change, int direction, int from, int end, int step) {
  double steep = 0.5 * (side - 1), curved = (double)(side - 1) * (side - 1);
  double viscous = VISCOSITY * curved;
  for (int part = 0; part < PARTS; part++)
    curve(change[part], u[part], diffusions[direction] * curved, from, end, step);
  slope(change[0], u[direction + 1], steep, from, end, step);
  for (int i = 0; i < 3; i++) {
    curve(change[i + 1], velocity[i], i == direction ? viscous * 4 / 3 : viscous, from, end, step);
    slope_of_product(change[i + 1], u[i + 1], velocity[direction], steep, from, end, step);
  }
  slope(change[direction + 1], pressure, steep * (HEATS - 1), from, end, step);
  curve(change[4], per_mass, viscous * (1 - PRANDTL), from, end, step);
  curve(change[4], square, viscous / 6, from, end, step);
  curve(change[4], heat, viscous * PRANDTL, from, end, step);
  slope(change[4], carried, steep, from, end, step);
}

static void damp_row(double* restrict change, const double* of, int place, int from, int end,
                     int step) {
  double two_before = place > 2, before = place == 1 ? 0 : -4;
  double here = place == 1 || place == side - 2 ? 5 : 6;
  double after = place == side - 2 ? 0 : -4, two_after = place < side - 3;
  for (int at = from; at < end; at++)
    change[at] -=
        DISSIPATION * (two_before * of[at - 2 * step] + before * of[at - step] + here * of[at] +
                       after * of[at + step] + two_after * of[at + 2 * step]);
}

static void damp(double* change, const double* of, int direction, int z, int y, int from,
                 int step) {
  if (direction > 0) {
    damp_row(change, of, direction == 1 ? y : z, from, from + side - 2, step);
    return;
  }
  int edges[] = {1, 2, side - 3, side - 2};
  for (int i = 0; i < 4; i++)
    damp_row(change, of, edges[i], from + edges[i] - 1, from + edges[i], step);
  damp_row(change, of, 3, from + 2, from + side - 4, step);
}

static int step_of(int direction) { return direction == 0 ? 1 : direction == 1 ? side : plane; }

static void add_change(double** change) {
  for (int direction = 0; direction < 3; direction++) {
    double* along = velocity[direction];
    for (int at = at_row(first - 1, 0); at < at_row(last + 2, 0); at++) {
      square[at] = along[at] * along[at];
      carried[at] = (HEATS * u[4][at] - (HEATS - 1) * kinetic[at]) * along[at];
    }
    int step = step_of(direction);
    for (int z = first_inside; z <= last_inside; z++)
      for (int y = 1; y < side - 1; y++) {
        int from = at_row(z, y) + 1;
        add_fluxes(change, direction, from, from + side - 2, step);
        for (int part = 0; part < PARTS; part++)
          damp(change[part], u[part], direction, z, y, from, step);
      }
  }
}

static void change(void) {
  refresh();
  int from = at_row(first, 0), end = at_row(last + 1, 0);
  for (int i = 0; i < PARTS; i++)
    memcpy(right[i] + from, forcing[i] + from, (end - from) * sizeof(double));
  add_change(right);
  for (int i = 0; i < PARTS; i++)
    for (int at = from; at < end; at++) right[i][at] *= step_time;
}

struct sweep {
  double *volume, *along, *sound, **right, **next, **second, diffusion;
  int step;
};

static void eliminate(const struct sweep* s, double* restrict next, double* restrict second,
                      int sign, double extra, int from, int count) {
  const double *volume = s->volume, *along = s->along, *sound = s->sound;
  double fast = step_time * 0.5 * (side - 1), slow = step_time * (side - 1) * (side - 1);
  double damp = step_time * DISSIPATION, energy = PRANDTL * VISCOSITY, least = s->diffusion;
  int step = s->step;
  for (int i = 0; i < count; i++) {
    int at = from + i, last = at - step, after = at + step;
    double left = -fast * (along[last] + sign * sound[last]) -
                  slow * (least + energy * volume[last]) - 4 * damp;
    double main = 1 + 2 * slow * (least + energy * volume[at]) + extra;
    double over = fast * (along[after] + sign * sound[after]) -
                  slow * (least + energy * volume[after]) - 4 * damp;
    left -= damp * next[last - step];
    main -= damp * second[last - step] + left * next[last];
    over -= left * second[last];
    double factor = 1 / main;
    next[at] = over * factor;
    second[at] = damp * factor;
    before[i] = left;
    inverse[i] = factor;
  }
}

static const int signs[] = {0, 1, -1}, firsts[] = {0, 3, 4, 5};

static void up(const struct sweep* s, int place, int from, int count) {
  double damp = step_time * DISSIPATION;
  int step = s->step;
  for (int i = 0; i < SPEEDS; i++) {
    eliminate(s, s->next[i], s->second[i], signs[i],
              place == 1 || place == side - 2 ? 5 * damp : 6 * damp, from, count);
    for (int part = firsts[i]; part < firsts[i + 1]; part++) {
      double* r = s->right[part] + from;
      for (int k = 0; k < count; k++)
        r[k] = (r[k] - damp * r[k - 2 * step] - before[k] * r[k - step]) * inverse[k];
    }
  }
}

static void down(const struct sweep* s, int from, int count) {
  int step = s->step;
  for (int i = 0; i < SPEEDS; i++)
    for (int part = firsts[i]; part < firsts[i + 1]; part++) {
      double* r = s->right[part] + from;
      const double *next = s->next[i] + from, *second = s->second[i] + from;
      for (int k = 0; k < count; k++) r[k] -= next[k] * r[k + step] + second[k] * r[k + 2 * step];
    }
}

static void take(const double* from, double* to) {
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) to[side * (x + 1) + y] = from[side * y + x];
}

static void give(const double* from, double* to) {
  for (int y = 1; y < side - 1; y++)
    for (int x = 1; x < side - 1; x++) to[side * y + x] = from[side * (x + 1) + y];
}

static void solve_x(void) {
  struct sweep s = {turned[0],  turned[1],   turned[2],     turned + 3,
                    turned + 8, turned + 11, diffusions[0], side};
  for (int z = first_inside; z <= last_inside; z++) {
    int from = at_row(z, 0);
    take(volume + from, turned[0]);
    take(velocity[0] + from, turned[1]);
    take(sound + from, turned[2]);
    for (int i = 0; i < PARTS; i++) take(right[i] + from, turned[3 + i]);
    for (int x = 1; x < side - 1; x++) up(&s, x, side * (x + 1) + 1, side - 2);
    for (int x = side - 2; x > 0; x--) down(&s, side * (x + 1) + 1, side - 2);
    for (int i = 0; i < PARTS; i++) give(turned[3 + i], right[i] + from);
  }
}

static void solve_y(void) {
  struct sweep s = {volume, velocity[1], sound, right, next, second, diffusions[1], side};
  for (int z = first_inside; z <= last_inside; z++) {
    for (int y = 1; y < side - 1; y++) up(&s, y, at_row(z, y) + 1, side - 2);
    for (int y = side - 2; y > 0; y--) down(&s, at_row(z, y) + 1, side - 2);
  }
}

static void copy(double** fields, int n, int from, int count, double* packet, int arrived) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < AROUND; k++, packet += count) {
      double* place = fields[i] + from + k * plane;
      if (arrived)
        memcpy(place, packet, count * sizeof(double));
      else
        memcpy(packet, place, count * sizeof(double));
    }
}

static void solve_z(void) {
  struct sweep s = {volume, velocity[2], sound, right, next, second, diffusions[2], plane};
  double* passed[PASSED];
  memcpy(passed, right, sizeof right);
  memcpy(passed + PARTS, next, sizeof next);
  memcpy(passed + PARTS + SPEEDS, second, sizeof second);
  int blocks = (side - 2 + BLOCK - 1) / BLOCK;
  MPI_Request* pending = malloc(2 * blocks * sizeof(MPI_Request));
  for (int b = 0; b < 2 * blocks; b++) {
    int is_up = b < blocks, y = 1 + b % blocks * BLOCK;
    int count = side * (side - 1 - y < BLOCK ? side - 1 - y : BLOCK), n = is_up ? PASSED : PARTS;
    int from = is_up ? below : above, to = is_up ? above : below;
    if (from != MPI_PROC_NULL) {
      MPI_Recv(packets[0], n * AROUND * count, MPI_DOUBLE, from, is_up, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      copy(passed, n, at_row(is_up ? first - AROUND : last + 1, y), count, packets[0], 1);
    }
    if (is_up)
      for (int z = first_inside; z <= last_inside; z++) up(&s, z, at_row(z, y), count);
    else
      for (int z = last_inside; z >= first_inside; z--) down(&s, at_row(z, y), count);
    double* packet = packets[1] + (size_t)packet_length * (b % blocks);
    if (b == blocks) MPI_Waitall(blocks, pending, MPI_STATUSES_IGNORE);
    if (to != MPI_PROC_NULL)
      copy(passed, n, at_row(is_up ? last + 1 - AROUND : first, y), count, packet, 0);
    MPI_Isend(packet, n * AROUND * count, MPI_DOUBLE, to, is_up, MPI_COMM_WORLD, &pending[b]);
  }
  MPI_Waitall(blocks, pending + blocks, MPI_STATUSES_IGNORE);
  free(pending);
}

static void to_x(int from, int end) {
  double root = sqrt(0.5), *a = right[0], *b = right[1], *c = right[2], *d = right[3],
         *e = right[4];
  for (int at = from; at < end; at++) {
    double x = velocity[0][at], y = velocity[1][at], z = velocity[2][at];
    double change =
        (HEATS - 1) * (per_mass[at] * a[at] - x * b[at] - y * c[at] - z * d[at] + e[at]);
    double mass = change / (sound[at] * sound[at]);
    double motion = root * volume[at] * (x * a[at] - b[at]);
    double wave = root * volume[at] * sound[at] * mass;
    b[at] = volume[at] * (d[at] - z * a[at]);
    c[at] = volume[at] * (y * a[at] - c[at]);
    a[at] -= mass;
    d[at] = wave - motion;
    e[at] = wave + motion;
  }
}

static void from_x_to_y(int from, int end) {
  double root = sqrt(0.5), *a = right[0], *b = right[1], *c = right[2], *d = right[3],
         *e = right[4];
  for (int at = from; at < end; at++) {
    double motion = root * c[at], wave = 0.5 * (d[at] + e[at]), old = a[at];
    c[at] = root * (d[at] - e[at]);
    a[at] = -b[at];
    b[at] = old;
    d[at] = wave - motion;
    e[at] = wave + motion;
  }
}

static void from_y_to_z(int from, int end) {
  double root = sqrt(0.5), *a = right[0], *b = right[1], *c = right[2], *d = right[3],
         *e = right[4];
  for (int at = from; at < end; at++) {
    double motion = root * a[at], wave = 0.5 * (d[at] + e[at]), old = b[at];
    a[at] = root * (d[at] - e[at]);
    b[at] = -c[at];
    c[at] = old;
    d[at] = wave - motion;
    e[at] = wave + motion;
  }
}

static void from_z(int from, int end) {
  double root = sqrt(0.5), *a = right[0], *b = right[1], *c = right[2], *d = right[3],
         *e = right[4];
  for (int at = from; at < end; at++) {
    double x = velocity[0][at], y = velocity[1][at], z = velocity[2][at], density = u[0][at];
    double wave = root * density / sound[at] * (d[at] + e[at]);
    double motion = root * density * (d[at] - e[at]), mass = c[at] + wave;
    double energy = density * (y * a[at] - x * b[at]) + per_mass[at] * mass +
                    sound[at] * sound[at] / (HEATS - 1) * wave + z * motion;
    c[at] = density * a[at] + y * mass;
    b[at] = x * mass - density * b[at];
    a[at] = mass;
    d[at] = z * mass + motion;
    e[at] = energy;
  }
}

static double exact(int part, double x, double y, double z) {
  const double* c = solution[part];
  return c[0] + x * (c[1] + x * (c[4] + x * (c[7] + x * c[10]))) +
         y * (c[2] + y * (c[5] + y * (c[8] + y * c[11]))) +
         z * (c[3] + z * (c[6] + z * (c[9] + z * c[12])));
}

static double guess(int part, double x, double y, double z) {
  if (x == 0 || x == 1 || y == 0 || y == 1 || z == 0 || z == 1) return exact(part, x, y, z);
  double along_x = x * exact(part, 1, y, z) + (1 - x) * exact(part, 0, y, z);
  double along_y = y * exact(part, x, 1, z) + (1 - y) * exact(part, x, 0, z);
  double along_z = z * exact(part, x, y, 1) + (1 - z) * exact(part, x, y, 0);
  return along_x + along_y + along_z - along_x * along_y - along_x * along_z - along_y * along_z +
         along_x * along_y * along_z;
}

static double place(int index) { return index == side - 1 ? 1 : index * (1.0 / (side - 1)); }

static void fill(double (*value)(int, double, double, double)) {
  for (int part = 0; part < PARTS; part++)
    for (int z = first; z <= last; z++)
      for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
          u[part][at_row(z, y) + x] = value(part, place(x), place(y), place(z));
}

static void prepare(void) {
  fill(exact);
  refresh();
  add_change(forcing);
  for (int i = 0; i < PARTS; i++)
    for (int at = at_row(first, 0); at < at_row(last + 1, 0); at++)
      forcing[i][at] = -forcing[i][at];
  fill(guess);
}

static void run(void) {
  int from = at_row(first_inside, 0), end = at_row(last_inside + 1, 0);
  for (int step = 0; step < steps; step++) {
    change();
    to_x(from, end);
    solve_x();
    from_x_to_y(from, end);
    solve_y();
    from_y_to_z(from, end);
    solve_z();
    from_z(from, end);
    for (int i = 0; i < PARTS; i++)
      for (int at = from; at < end; at++) u[i][at] += right[i][at];
  }
}

static int right_norms(const double* official) {
  change();
  double norms[2 * PARTS] = {0};
  for (int z = first; z <= last; z++)
    for (int y = 0; y < side; y++)
      for (int x = 0; x < side; x++)
        for (int part = 0; part < PARTS; part++) {
          int at = at_row(z, y) + x;
          double left = right[part][at] / step_time;
          double error = u[part][at] - exact(part, place(x), place(y), place(z));
          norms[part] += left * left;
          norms[PARTS + part] += error * error;
        }
  MPI_Allreduce(MPI_IN_PLACE, norms, 2 * PARTS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  int fine = 1;
  for (int i = 0; i < 2 * PARTS; i++)
    fine &= fabs(sqrt(norms[i] / pow(side - 2, 3)) - official[i]) <= 1e-8 * official[i];
  return fine;
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  char size = argv[1][0];
  side = size == 'S' ? 12 : size == 'W' ? 36 : 64;
  steps = size == 'S' ? 100 : 400;
  step_time = size == 'S' ? 0.015 : 0.0015;
  divide();
  prepare();
  MPI_Barrier(MPI_COMM_WORLD);
  double begun = now();
  run();
  double spent = now() - begun;
  finish("SP", argv[1], spent, right_norms(officials[size == 'S' ? 0 : size == 'W' ? 1 : 2]));
}

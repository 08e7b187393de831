// Tiles, transpositions and faces with named layouts, beside contiguous messages of as many bytes,
// derived datatypes and loops that pack, in turns. Needs two ranks.
//
// A line of the output is the kind of exchange, its case, the way and the median of 11 blocks, in
// microseconds for one exchange. All ways use the same memory and must have the same result.

#include <mpi.h>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/layouts.hpp>

#include "tile_type.hpp"
#include "turns.hpp"

namespace {

using namespace measuring;
using namespace mpiglot;
using namespace mpiglot::layouts;

int turns = 11;  // fewer in a test

// Compares ways of one exchange; they take turns.
void compare(const std::string& what, std::vector<way> ways, memory& result, int exchanges) {
  measuring::compare(what, std::move(ways), result, turns, turns > 1 ? exchanges : 1);
}

template <bool RowMajor, auto Row, auto Column>
auto matrix_of(count_t rows, count_t columns) {
  if constexpr (RowMajor)
    return scalar<double>() ^ vectors<Column, Row>(columns, rows);
  else
    return scalar<double>() ^ vectors<Row, Column>(rows, columns);
}

// Tiles of whole rows or of whole columns of n x n elements, one for each rank.
template <bool WholeRows, bool MatrixByRows, bool TilesByRows>
void compare_tiles(const communicator& comm, long n) {
  const long share = n / comm.size();
  const int part = static_cast<int>(n * share);
  memory matrix_memory = doubles(n * n);
  memory tile_memory = doubles(n * share);
  number(matrix_memory, comm.rank());
  memory block = doubles(n * n);

  const auto matrix = bag(matrix_of<MatrixByRows, 'i', 'j'>(n, n), matrix_memory.data());
  constexpr auto split = WholeRows ? 'i' : 'j';
  constexpr auto row = WholeRows ? 'y' : 'i';
  constexpr auto column = WholeRows ? 'j' : 'y';
  const auto rows = WholeRows ? share : n;
  const auto columns = WholeRows ? n : share;
  const auto tile = bag(matrix_of<TilesByRows, row, column>(rows, columns), tile_memory.data());
  constexpr auto outer = TilesByRows ? row : column;
  constexpr auto inner = TilesByRows ? column : row;
  const auto mine = mpi_traverser<'r'>(
      traverser(matrix) ^ into_blocks<split, 'r', 'y'>() ^ hoist<outer, inner>(), comm);

  const long row_stride = MatrixByRows ? n : 1;
  const long column_stride = MatrixByRows ? 1 : n;
  const long lines = TilesByRows ? rows : columns;
  const long length = TilesByRows ? columns : rows;
  const long between_lines = TilesByRows ? row_stride : column_stride;
  const long between = TilesByRows ? column_stride : row_stride;
  const long between_tiles = share * (WholeRows ? row_stride : column_stride);
  const tile_type type(lines, between_lines, length, between);
  const std::vector<int> ones(static_cast<std::size_t>(comm.size()), 1);
  std::vector<int> first;
  for (int r = 0; r < comm.size(); ++r) first.push_back(static_cast<int>(r * between_tiles));
  const auto each = [&](auto move) {
    double* packed = block.data();
    for (long r = 0; r < comm.size(); ++r)
      for (long l = 0; l < lines; ++l)
        for (long k = 0; k < length; ++k)
          move(matrix_memory[static_cast<std::size_t>(r * between_tiles + l * between_lines +
                                                      k * between)],
               *packed++);
  };

  const auto by = [](bool by_rows) { return by_rows ? "rows" : "columns"; };
  const std::string about = std::string("\t") + std::to_string(n) + ": matrix by " +
                            by(MatrixByRows) + ", tiles by " + by(TilesByRows);
  const std::string kind = WholeRows ? "tiles of whole rows" : "tiles of whole columns";
  const bool at_root = comm.rank() == 0;
  const int exchanges = n > 256 ? 3 : 20;
  const auto scatter_from = [&](const memory& from) {
    MPI_Scatter(from.data(), part, MPI_DOUBLE, tile_memory.data(), part, MPI_DOUBLE, 0,
                MPI_COMM_WORLD);
  };
  compare(kind + ", scattered" + about,
          {{"contiguous", [&] { scatter_from(matrix_memory); }},
           {"ours", [&] { mine.scatter(send_buf(matrix), recv_buf(tile), root(0)); }},
           {"datatype",
            [&] {
              MPI_Scatterv(matrix_memory.data(), ones.data(), first.data(), type,
                           tile_memory.data(), part, MPI_DOUBLE, 0, MPI_COMM_WORLD);
            }},
           {"a loop",
            [&] {
              if (at_root) each([](double from, double& to) { to = from; });
              scatter_from(block);
            }}},
          tile_memory, exchanges);
  number(tile_memory, comm.rank());
  const auto gather_into = [&](memory& to) {
    MPI_Gather(tile_memory.data(), part, MPI_DOUBLE, to.data(), part, MPI_DOUBLE, 0,
               MPI_COMM_WORLD);
  };
  compare(kind + ", gathered" + about,
          {{"contiguous", [&] { gather_into(matrix_memory); }},
           {"ours", [&] { mine.gather(send_buf(tile), recv_buf(matrix), root(0)); }},
           {"datatype",
            [&] {
              MPI_Gatherv(tile_memory.data(), part, MPI_DOUBLE, matrix_memory.data(), ones.data(),
                          first.data(), type, 0, MPI_COMM_WORLD);
            }},
           {"a loop",
            [&] {
              gather_into(block);
              if (at_root) each([](double& to, double from) { to = from; });
            }}},
          matrix_memory, exchanges);
}

void compare_all_tiles(const communicator& comm, long n) {
  const auto all = [&]<bool WholeRows> {
    compare_tiles<WholeRows, true, true>(comm, n);
    compare_tiles<WholeRows, true, false>(comm, n);
    compare_tiles<WholeRows, false, true>(comm, n);
    compare_tiles<WholeRows, false, false>(comm, n);
  };
  all.template operator()<true>();
  all.template operator()<false>();
}

// Each rank has some rows of an n x n matrix, then some rows of the transposed one.
void compare_transpositions(const communicator& comm, long n) {
  const long share = n / comm.size();
  const int part = static_cast<int>(share * share);
  memory from = doubles(n * share);
  number(from, comm.rank());
  memory to = doubles(n * share);
  memory packed = doubles(n * share);
  memory arrived = doubles(n * share);
  const auto rows = bag(scalar<double>() ^ vectors<'j', 'y'>(n, share), from.data());
  const auto columns = bag(scalar<double>() ^ vectors<'i', 'x'>(n, share), to.data());
  const auto sent = rows ^ into_blocks<'j', 'r', 'x'>(share);
  const auto received = columns ^ into_blocks<'i', 'r', 'y'>(share);
  const auto all = mpi_traverser<'r'>(traverser(sent, received), comm);
  const tile_type type_sent(share, 1, share, n, share);
  const tile_type type_received(share, n, share, 1, share);
  const auto exchange = [&](const memory& source, memory& target) {
    MPI_Alltoall(source.data(), part, MPI_DOUBLE, target.data(), part, MPI_DOUBLE, MPI_COMM_WORLD);
  };
  // Element (x, y) of the block of a rank.
  const auto each = [&](auto move) {
    std::size_t at = 0;
    for (long r = 0; r < comm.size(); ++r)
      for (long x = 0; x < share; ++x)
        for (long y = 0; y < share; ++y) move(at++, r, x, y);
  };
  compare("transposition\t" + std::to_string(n),
          {{"contiguous", [&] { exchange(from, to); }},
           {"ours", [&] { all.alltoall(send_buf(sent), recv_buf(received)); }},
           {"datatype",
            [&] {
              MPI_Alltoall(from.data(), 1, type_sent, to.data(), 1, type_received, MPI_COMM_WORLD);
            }},
           {"a loop",
            [&] {
              each([&](std::size_t at, long r, long x, long y) {
                packed[at] = from[static_cast<std::size_t>(y * n + r * share + x)];
              });
              exchange(packed, arrived);
              each([&](std::size_t at, long r, long x, long y) {
                to[static_cast<std::size_t>(x * n + r * share + y)] = arrived[at];
              });
            }}},
          to, n > 512 ? 3 : 20);
}

// The inner elements at an index of one dimension, which all others have from 1 to n.
template <char Fixed, char One, char Other>
auto face(const auto& cube, count_t at, count_t n) {
  return cube ^ fix<Fixed>(at) ^ slice<One>(1, n) ^ slice<Other>(1, n);
}

// The two faces of a cube of n^3 elements in one dimension go to the halo of the other rank's cube.
struct cube_faces {
  const communicator& comm;
  int n;
  memory& cube;
  memory packed = doubles(long{n} * n);
  memory arrived = doubles(long{n} * n);

  void sendrecv(const double* from, MPI_Datatype type, double* to, MPI_Datatype as, int count) {
    const int other = 1 - comm.rank();
    MPI_Sendrecv(from, count, type, other, 0, to, count, as, other, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  void contiguous() {
    for (int i = 0; i < 2; ++i)
      sendrecv(packed.data(), MPI_DOUBLE, arrived.data(), MPI_DOUBLE, n * n);
  }
  template <char Fixed, char One, char Other>
  void ours() {
    const int other = 1 - comm.rank();
    const count_t length = n + 2;
    const auto all =
        bag(scalar<double>() ^ vectors<'z', 'y', 'x'>(length, length, length), cube.data());
    const auto at = [&](count_t index) { return face<Fixed, One, Other>(all, index, n); };
    comm.sendrecv(send_buf(at(1)), destination(other), recv_buf(at(n + 1)), source(other));
    comm.sendrecv(send_buf(at(n)), destination(other), recv_buf(at(0)), source(other));
  }
  void loop(long fixed, long one, long other) {
    for (const auto& [from, to] : {std::array{1L, n + 1L}, std::array{long{n}, 0L}}) {
      std::size_t at = 0;
      for (long i = 1; i <= n; ++i)
        for (long j = 1; j <= n; ++j)
          packed[at++] = cube[static_cast<std::size_t>(from * fixed + i * one + j * other)];
      sendrecv(packed.data(), MPI_DOUBLE, arrived.data(), MPI_DOUBLE, n * n);
      at = 0;
      for (long i = 1; i <= n; ++i)
        for (long j = 1; j <= n; ++j)
          cube[static_cast<std::size_t>(to * fixed + i * one + j * other)] = arrived[at++];
    }
  }
};

// The datatypes of the four layers of a dimension.
struct layer_types {
  std::array<MPI_Datatype, 4> types{};
  layer_types(int dimension, int n) {
    for (std::size_t i = 0; i < 4; ++i) {
      const std::array all = {n + 2, n + 2, n + 2};
      std::array lengths = {n, n, n};
      std::array first = {1, 1, 1};
      lengths[static_cast<std::size_t>(dimension)] = 1;
      first[static_cast<std::size_t>(dimension)] = std::array{1, n + 1, n, 0}[i];
      MPI_Type_create_subarray(3, all.data(), lengths.data(), first.data(), MPI_ORDER_C, MPI_DOUBLE,
                               &types[i]);
      MPI_Type_commit(&types[i]);
    }
  }
  layer_types(const layer_types&) = delete;
  layer_types& operator=(const layer_types&) = delete;
  ~layer_types() {
    for (MPI_Datatype& type : types) MPI_Type_free(&type);
  }
};

void compare_faces(const communicator& comm, int n) {
  const long length = n + 2;
  memory cube = doubles(length * length * length);
  cube_faces faces{comm, n, cube};
  const layer_types x(0, n), y(1, n), z(2, n);
  const auto layers = [&](const layer_types& of) {
    faces.sendrecv(cube.data(), of.types[0], cube.data(), of.types[1], 1);
    faces.sendrecv(cube.data(), of.types[2], cube.data(), of.types[3], 1);
  };
  const long plane = length * length;
  const auto all = [&](const char* which, auto ours, auto datatype, auto loop, int dimensions) {
    compare(std::string("faces of ") + std::to_string(n) + "^3\t" + which,
            {{"contiguous",
              [&] {
                for (int i = 0; i < dimensions; ++i) faces.contiguous();
              }},
             {"ours", ours},
             {"datatype", datatype},
             {"a loop", loop}},
            cube, 20);
  };
  const auto ours_x = [&] { faces.ours<'x', 'y', 'z'>(); };
  const auto ours_y = [&] { faces.ours<'y', 'x', 'z'>(); };
  const auto ours_z = [&] { faces.ours<'z', 'x', 'y'>(); };
  const auto loop_x = [&] { faces.loop(plane, length, 1); };
  const auto loop_y = [&] { faces.loop(length, plane, 1); };
  const auto loop_z = [&] { faces.loop(1, plane, length); };
  const auto in_turn = [](auto... one) { return [=] { (one(), ...); }; };
  const auto type_x = [&] { layers(x); };
  const auto type_y = [&] { layers(y); };
  const auto type_z = [&] { layers(z); };
  all("two, x fixed", ours_x, type_x, loop_x, 1);
  all("two, y fixed", ours_y, type_y, loop_y, 1);
  all("two, z fixed", ours_z, type_z, loop_z, 1);
  all("all six", in_turn(ours_x, ours_y, ours_z), in_turn(type_x, type_y, type_z),
      in_turn(loop_x, loop_y, loop_z), 3);
}

}  // namespace

int main(int argc, char** argv) {
  const environment environment(argc, argv);
  const communicator comm;
  if (comm.size() != 2) {
    if (comm.rank() == 0) std::fprintf(stderr, "tiles: this needs two ranks\n");
    return 2;
  }
  const bool tiny = argc > 1 && std::string_view(argv[1]) == "tiny";
  if (tiny) turns = 1;
  for (const long n : tiny ? std::vector{8L} : std::vector{256L, 1024L}) compare_all_tiles(comm, n);
  for (long n = tiny ? 8 : 64; n <= (tiny ? 8 : 2048); n *= 2) compare_transpositions(comm, n);
  compare_faces(comm, tiny ? 4 : 128);
}

// What views cost beside contiguous memory: messages of n x n doubles between two ranks.
//
// For each n, all ways send in turns: 21 rounds, in each a block of messages there and back. A line
// of the output is n, the way and the median, in microseconds for one message. With the argument
// `runs`, it compares packing with derived datatypes instead, by the length of the runs.

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/memory_order.hpp>
#include <mpiglot/strided.hpp>

#include "ways.hpp"

namespace {

using namespace mpiglot;

using measuring::print_medians;
using measuring::rounds;
using measuring::way;

// Sends there and back in turns; prints the median of each way.
void compare(const communicator& comm, long n, std::vector<way>& ways) {
  const bool first = comm.rank() == 0;
  const int messages = n < 128 ? 20 : 4;
  for (int round = 0; round < rounds; ++round)
    for (way& one : ways) {
      double begin = 0;
      for (int i = -1; i < messages; ++i) {
        if (i == 0) {
          comm.barrier();
          begin = MPI_Wtime();
        }
        one.exchange(first);
      }
      one.times.push_back((MPI_Wtime() - begin) / (2 * messages));
    }
  if (first) print_medians(n, ways);
}

struct committed {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  explicit committed(MPI_Datatype made) : type(made) { MPI_Type_commit(&type); }
  committed(const committed&) = delete;
  committed& operator=(const committed&) = delete;
  ~committed() { MPI_Type_free(&type); }
};

// The rows of a matrix whose columns follow each other, as programs usually describe them.
MPI_Datatype usual_type(int n) {
  MPI_Datatype row = MPI_DATATYPE_NULL;
  MPI_Datatype rows = MPI_DATATYPE_NULL;
  MPI_Type_create_hvector(n, 1, n * static_cast<MPI_Aint>(sizeof(double)), MPI_DOUBLE, &row);
  MPI_Type_create_hvector(n, 1, sizeof(double), row, &rows);
  MPI_Type_free(&row);
  return rows;
}

void copy(const double* from, double* to, long n) { std::copy(from, from + n * n, to); }
void naive_pack(const double* from, double* to, long n) {
  for (long r = 0; r < n; ++r)
    for (long c = 0; c < n; ++c) to[r * n + c] = from[c * n + r];
}
void blocked_pack(const double* from, double* to, long n) {
  for (long row = 0; row < n; row += 16)
    for (long column = 0; column < n; column += 16)
      for (long r = row; r < std::min(row + 16, n); ++r)
        for (long c = column; c < std::min(column + 16, n); ++c) to[r * n + c] = from[c * n + r];
}

void compare_ways(const communicator& comm, long n) {
  const auto length = static_cast<std::size_t>(n * n);
  const int other = 1 - comm.rank();
  std::vector<double> memory(length, 1);
  std::vector<double> wide(2 * length, 1);
  std::vector<double> plain(length, 1);
  const strided_view<double> columns{memory.data(), n, n, 1, n};
  const strided_view<double> rows{wide.data(), n, n, 2 * n, 1};
  const committed usual(usual_type(static_cast<int>(n)));
  const auto send = [&](const auto& what) {
    return [&comm, what, other] { comm.send(send_buf(what), destination(other)); };
  };
  const auto receive = [&](auto& what) {
    return [&comm, &what, other] { comm.recv(recv_buf(what), source(other)); };
  };
  const auto send_plain = [&] { comm.send(send_buf(plain), destination(other)); };
  const auto receive_plain = receive(plain);
  auto ordered = memory_order(columns);
  auto into_columns = columns;
  auto into_rows = rows;
  const auto packed = [&](void (*pack)(const double*, double*, long)) {
    return [&, pack] {
      pack(memory.data(), plain.data(), n);
      send_plain();
    };
  };
  std::vector<way> ways = {
      {"contiguous", send_plain, receive_plain},
      {"columns into rows", send(columns), receive_plain},
      {"rows into columns", send_plain, receive(into_columns)},
      {"columns into columns", send(columns), receive(into_columns)},
      {"columns into columns, memory_order", send(ordered), receive(ordered)},
      {"rows of half a pitch", send(rows), receive(into_rows)},
      {"C: one copy, then contiguous", packed(copy), receive_plain},
      {"C: a naive loop, then contiguous", packed(naive_pack), receive_plain},
      {"C: a loop in blocks, then contiguous", packed(blocked_pack), receive_plain},
      {"C: a derived datatype",
       [&] { MPI_Send(memory.data(), 1, usual.type, other, 0, MPI_COMM_WORLD); },
       [&] {
         MPI_Recv(plain.data(), static_cast<int>(length), MPI_DOUBLE, other, 0, MPI_COMM_WORLD,
                  MPI_STATUS_IGNORE);
       }},
  };
  compare(comm, n, ways);

  const auto nothing = [] {};
  const auto broadcast = [&](auto& what) {
    return [&comm, &what] { comm.bcast(send_recv_buf(what), root(0)); };
  };
  std::vector<way> broadcasts = {
      {"bcast: contiguous", broadcast(plain), nothing},
      {"bcast: columns", broadcast(into_columns), nothing},
      {"bcast: columns, memory_order", broadcast(ordered), nothing},
  };
  compare(comm, n, broadcasts);
}

// `items` runs of `run` doubles whose next begins after `pitch` of them, in planes of `height` runs.
void compare_runs(const communicator& comm, long run, long items, long height) {
  const int other = 1 - comm.rank();
  const long pitch = 2 * run;
  std::vector<double> memory(static_cast<std::size_t>(items * pitch), 1);
  std::vector<double> block(static_cast<std::size_t>(items * run), 1);
  // Planes lie in reverse order, so that no two dimensions merge.
  detail::view_layout<3> layout(sizeof(double));
  layout.add(items / height, height > 1 ? -height * pitch : pitch);
  layout.add(height, pitch);
  layout.add(run, 1);
  layout.finish();
  double* const first = memory.data() + (height > 1 ? (items / height - 1) * height * pitch : 0);
  const auto copy = [&]<bool Packs>() {
    detail::view_copy<sizeof(double)> copying{reinterpret_cast<std::byte*>(block.data()),
                                              items * run};
    copying.run<Packs>(layout.dimensions(), layout.rank(), reinterpret_cast<std::byte*>(first));
  };
  auto described =
      detail::view_datatype(layout.dimensions(), layout.rank(), sizeof(double),
                            mpi::datatype_handle{MPI_DOUBLE}, layout.dimensions()->length);
  mpi::type_commit(described);
  const MPI_Datatype type = mpi::datatype_handle(described).native;
  const int length = static_cast<int>(items * run);
  std::vector<way> ways = {
      {"packed",
       [&] {
         copy.operator()<true>();
         MPI_Send(block.data(), length, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
       },
       [&] {
         MPI_Recv(block.data(), length, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
         copy.operator()<false>();
       }},
      {"datatype", [&] { MPI_Send(first, 1, type, other, 0, MPI_COMM_WORLD); },
       [&] { MPI_Recv(first, 1, type, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }},
  };
  for (way& one : ways)
    one.name += (height > 1 ? ", two strides, " : ", one stride, ") +
                std::to_string(items * run * 8 / 1024) + " KiB";
  compare(comm, run * 8, ways);
}

}  // namespace

int main(int argc, char** argv) {
  const environment environment(argc, argv);
  const communicator comm;
  if (comm.size() != 2) {
    if (comm.rank() == 0) std::fprintf(stderr, "views: this needs two ranks\n");
    return 2;
  }
  if (argc > 1 && std::string_view(argv[1]) == "runs") {
    for (const long doubles : {2048L, 16384L, 131072L})
      for (const long height : {1L, 8L})
        for (long run = 1; run <= 1024 && run * height * 2 <= doubles; run *= 2)
          compare_runs(comm, run, doubles / run, height);
    return 0;
  }
  for (const long n : {64L, 256L, 512L, 1024L}) compare_ways(comm, n);
}

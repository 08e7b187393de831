// Ping-pong and broadcast of boxes of 1 to 3 dimensions by size, between two ranks: as named layouts,
// beside contiguous messages of as many bytes in plain C, derived datatypes, a loop that packs, and
// the ways of other libraries that are linked in, in turns.
//
// A line of the output is the operation, the box, the bytes of its elements, the way and the median
// of 11 blocks, in microseconds for one broadcast or one message there and back.

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/layouts.hpp>

#include "box.hpp"
#include "turns.hpp"

namespace {

using namespace measuring;
using namespace mpiglot;
using namespace mpiglot::layouts;

transfer in_plain_c(std::string name, int count, MPI_Datatype type) {
  return {std::move(name),
          [=](const double* from, int to) { MPI_Send(from, count, type, to, 0, MPI_COMM_WORLD); },
          [=](double* to, int from) {
            MPI_Recv(to, count, type, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          },
          [=](double* all) { MPI_Bcast(all, count, type, 0, MPI_COMM_WORLD); }};
}

// The datatype that fits best, committed once.
class box_type {
 public:
  explicit box_type(const box& of) {
    const auto as_int = [](const std::array<long, 3>& l) {
      return std::array{static_cast<int>(l[0]), static_cast<int>(l[1]), static_cast<int>(l[2])};
    };
    const auto part = as_int(of.part);
    const auto all = as_int(of.all);
    const std::array first = {0, 0, 0};
    if (part[0] == 1)
      MPI_Type_vector(part[1], part[2], all[2], MPI_DOUBLE, &type_);
    else
      MPI_Type_create_subarray(3, all.data(), part.data(), first.data(), MPI_ORDER_C, MPI_DOUBLE,
                               &type_);
    MPI_Type_commit(&type_);
  }
  box_type(const box_type&) = delete;
  box_type& operator=(const box_type&) = delete;
  ~box_type() { MPI_Type_free(&type_); }
  operator MPI_Datatype() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

transfer by_a_loop(const box& of) {
  const auto block = std::make_shared<memory>(doubles(of.size()));
  const auto plain = in_plain_c("", static_cast<int>(of.size()), MPI_DOUBLE);
  const auto pack = [=](const double* from) {
    double* to = block->data();
    of.each_place([&](std::size_t at) { *to++ = from[at]; });
  };
  const auto unpack = [=](double* to) {
    const double* from = block->data();
    of.each_place([&](std::size_t at) { to[at] = *from++; });
  };
  return {"a loop",
          [=](const double* from, int to) {
            pack(from);
            plain.send(block->data(), to);
          },
          [=](double* to, int from) {
            plain.recv(block->data(), from);
            unpack(to);
          },
          [=](double* all) {
            if (rank_of_world() == 0) pack(all);
            plain.bcast(block->data());
            if (rank_of_world() != 0) unpack(all);
          }};
}

// `bag_of` makes a bag of the elements from a pointer to the first.
transfer ours(const communicator& comm, auto bag_of) {
  return {"ours",
          [=, &comm](const double* from, int to) {
            comm.send(send_buf(bag_of(from)), destination(to));
          },
          [=, &comm](double* to, int from) { comm.recv(recv_buf(bag_of(to)), source(from)); },
          [=, &comm](double* all) { comm.bcast(send_recv_buf(bag_of(all)), root(0)); }};
}

void compare_ways(const box& of, const transfer& mine, bool tiny) {
  const int other = 1 - rank_of_world();
  const int count = static_cast<int>(of.size());
  memory plain_from = doubles(count);
  memory plain_to = doubles(count);
  memory from = doubles(of.size_of_all());
  memory to = doubles(of.size_of_all());
  number(from, rank_of_world());
  const box_type type(of);
  std::vector<transfer> transfers = {in_plain_c("contiguous", count, MPI_DOUBLE), mine,
                                     in_plain_c("datatype", 1, type), by_a_loop(of)};
  for (const auto& make : more_ways()) transfers.push_back(make(of));

  std::vector<way> ping_pongs, broadcasts;
  for (const transfer& by : transfers) {
    const double* const source = &by == &transfers[0] ? plain_from.data() : from.data();
    double* const target = &by == &transfers[0] ? plain_to.data() : to.data();
    if (by.send && by.recv)
      ping_pongs.push_back({by.name, [=, &by] {
                              if (other == 1) {
                                by.send(source, other);
                                by.recv(target, other);
                              } else {
                                by.recv(target, other);
                                by.send(target, other);
                              }
                            }});
    if (by.bcast) broadcasts.push_back({by.name, [=, &by] { by.bcast(target); }});
  }
  const long bytes = of.size() * static_cast<long>(sizeof(double));
  const int most = tiny ? 1 : 400;
  const int turns = tiny ? 1 : 11;
  const std::string about = "\t" + of.name + "\t" + std::to_string(bytes);
  compare("ping-pong" + about, std::move(ping_pongs), to, turns, most);
  compare("broadcast" + about, std::move(broadcasts), to, turns, most);
}

// `doubles` is a power of two.
void compare_boxes(const communicator& comm, long doubles, bool tiny) {
  long rows = 1;
  while (rows * rows * 2 <= doubles) rows *= 2;
  const long columns = doubles / rows;
  long planes = 1;
  while (planes * planes * planes * 2 <= doubles) planes *= 2;
  long lines = 1;
  while (lines * lines * 2 <= doubles / planes) lines *= 2;
  const long length = doubles / planes / lines;

  compare_ways(
      {"1-D, contiguous", {1, 1, doubles}, {1, 1, doubles}},
      ours(comm, [=](auto* first) { return bag(scalar<double>() ^ vector<'x'>(doubles), first); }),
      tiny);
  compare_ways({"1-D, a column of 8", {1, doubles, 1}, {1, doubles, 8}},
               ours(comm,
                    [=](auto* first) {
                      return bag(scalar<double>() ^ vectors<'x', 'y'>(8, doubles) ^ fix<'x'>(0),
                                 first);
                    }),
               tiny);
  compare_ways({"2-D, contiguous", {1, rows, columns}, {1, rows, columns}},
               ours(comm,
                    [=](auto* first) {
                      return bag(scalar<double>() ^ vectors<'x', 'y'>(columns, rows), first);
                    }),
               tiny);
  compare_ways({"2-D, rows of half a pitch", {1, rows, columns}, {1, rows, 2 * columns}},
               ours(comm,
                    [=](auto* first) {
                      return bag(scalar<double>() ^ vectors<'x', 'y'>(2 * columns, rows) ^
                                     slice<'x'>(0, columns),
                                 first);
                    }),
               tiny);
  const auto cube = [=](long by) {
    return scalar<double>() ^ vectors<'x', 'y', 'z'>(by * length, by * lines, by * planes);
  };
  compare_ways({"3-D, contiguous", {planes, lines, length}, {planes, lines, length}},
               ours(comm, [=](auto* first) { return bag(cube(1), first); }), tiny);
  compare_ways({"3-D, a box of half the lengths",
                {planes, lines, length},
                {2 * planes, 2 * lines, 2 * length}},
               ours(comm,
                    [=](auto* first) {
                      return bag(cube(2) ^ slice<'x'>(0, length) ^ slice<'y'>(0, lines) ^
                                     slice<'z'>(0, planes),
                                 first);
                    }),
               tiny);
}

}  // namespace

int main(int argc, char** argv) {
  const environment environment(argc, argv);
  const communicator comm;
  if (comm.size() != 2) {
    if (comm.rank() == 0) std::fprintf(stderr, "sizes: this needs two ranks\n");
    return 2;
  }
  const bool tiny = argc > 1 && std::string_view(argv[1]) == "tiny";
  for (long bytes = 8; bytes <= (tiny ? 512 : 2 << 20); bytes *= 8)
    compare_boxes(comm, bytes / 8, tiny);
  if (!tiny) compare_boxes(comm, (4 << 20) / 8, tiny);
}

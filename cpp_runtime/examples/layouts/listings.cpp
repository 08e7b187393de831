// The five listings of "Layout-Agnostic MPI Abstraction for Distributed Computing in Modern C++" in
// mpiglot, each checked. Listing 3 does not compile there as printed, and listing 4 names a dimension
// that is gone; both say here what they mean.

#include <cstdio>
#include <functional>

#include <mpiglot/as_datatype.hpp>
#include <mpiglot/environment.hpp>
#include <mpiglot/layouts.hpp>

using namespace mpiglot;
using namespace mpiglot::layouts;

namespace {

bool right = true;
void expect(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s is wrong\n", what);
  right = false;
}

// 1: a product of matrices, whatever their layouts.
void multiply() {
  auto c = bag(scalar<int>() ^ vector<'i'>(4) ^ vector<'j'>(3));
  auto a = bag(scalar<int>() ^ vector<'i'>(4) ^ vector<'k'>(2));
  auto b = bag(scalar<int>() ^ vector<'k'>(2) ^ vector<'j'>(3));
  traverser(a) | [&](auto state) { a[state] = 1 + static_cast<int>(get_index<'i'>(state)); };
  traverser(b) | [&](auto state) { b[state] = 1 + static_cast<int>(get_index<'j'>(state)); };
  traverser(c) | [&](auto outer) {
    c[outer] = 0;
    (traverser(a, b) ^ fix(outer)) | [&](auto state) { c[state] += a[state] * b[state]; };
  };
  expect(c[idx<'i', 'j'>(3, 2)] == 24, "listing 1");
}

// 2 and 3: a matrix, then the same in tiles; and its datatype for a call of MPI itself.
void transform(const communicator& comm) {
  auto row = scalar<int>() ^ vector<'n'>(6);
  auto matrix = row ^ vector<'m'>(4);
  auto tiled = matrix ^ into_blocks<'m', 'M'>(2) ^ into_blocks<'n', 'N'>(3);
  auto data = bag(tiled);
  if (comm.rank() == 0) traverser(data) | [&](auto state) { data[state] = 5; };
  const auto type = as_datatype(data);
  MPI_Bcast(data.data(), 1, type.native, 0, MPI_COMM_WORLD);
  expect(data[idx<'M', 'm', 'N', 'n'>(1, 1, 1, 2)] == 5, "listing 3");
}

// 4: rows of a matrix, of which each rank has its own.
void slices(const communicator& comm) {
  auto matrix = scalar<float>() ^ vectors<'n', 'm'>(3, 2 * comm.size());
  auto trav = mpi_traverser<'r'>(traverser(matrix ^ into_blocks<'m', 'r', 's'>()), comm);
  auto slice = bag(scalar<float>() ^ vectors_like<'s', 'n'>(trav));
  if (trav.rank() == 0)
    trav | [&](auto state) { slice[state] = static_cast<float>(get_index<'s'>(state)); };
  trav.bcast(send_recv_buf(slice), root(0));
  expect(slice[idx<'s', 'n'>(1, 2)] == 1, "listing 4");
}

// 5: tiles of a matrix, scattered, changed and gathered.
void tiles(const communicator& comm) {
  const count_t across = comm.size() % 2 == 0 ? 2 : 1;
  auto tiled = scalar<float>() ^ vectors<'n', 'm'>(3 * comm.size(), 4) ^ into_blocks<'m', 'M'>() ^
               into_blocks<'n', 'N'>();
  auto trav = mpi_traverser<'r'>(
      traverser(tiled) ^ set_length<'M'>(across) ^ merge_blocks<'M', 'N', 'r'>(), comm);
  auto matrix = bag(tiled ^ set_length(trav));
  auto tile = bag(scalar<float>() ^ vectors_like<'m', 'n'>(trav));
  if (trav.rank() == 0) traverser(matrix) | [&](auto state) { matrix[state] = 1; };
  trav.scatter(send_buf(matrix), recv_buf(tile), root(0));
  trav | [&](auto state) { tile[state] += static_cast<float>(trav.rank()); };
  trav.gather(send_buf(tile), recv_buf(matrix), root(0));
  if (trav.rank() == 0)
    traverser(matrix) | [&](auto state) {
      const auto [tile_row, tile_column] = get_indices<'M', 'N'>(state);
      const auto owner = tile_row * (comm.size() / across) + tile_column;
      expect(matrix[state] == static_cast<float>(1 + owner), "listing 5");
    };
}

}  // namespace

int main(int argc, char** argv) {
  const environment environment(argc, argv);
  const communicator comm;
  multiply();
  transform(comm);
  slices(comm);
  tiles(comm);
  const bool all_right =
      comm.allreduce_single(send_buf(right ? 1 : 0), op(std::multiplies<>())) != 0;
  if (comm.rank() == 0) std::printf("the five listings: %s\n", all_right ? "right" : "wrong");
  return all_right ? 0 : 1;
}

// The product with named layouts.

#pragma once

#include <mpiglot/layouts.hpp>

#include "gemm.hpp"

namespace gemm {

template <bool RowMajor, auto Row, auto Column>
auto order() {
  using namespace mpiglot::layouts;
  if constexpr (RowMajor)
    return hoist<Row, Column>();
  else
    return hoist<Column, Row>();
}

template <bool RowMajor, auto Row, auto Column>
auto tile_of(const auto& traverser) {
  using namespace mpiglot::layouts;
  if constexpr (RowMajor)
    return bag(scalar<double>() ^ vectors_like<Column, Row>(traverser));
  else
    return bag(scalar<double>() ^ vectors_like<Row, Column>(traverser));
}

// Calls `use` with the steps; tiles are row-major or column-major.
template <bool RowsC, bool RowsA, bool RowsB>
void ours(const mpiglot::communicator& comm, const problem& of, const auto& use) {
  using namespace mpiglot;
  using namespace mpiglot::layouts;
  auto C = bag(scalar<double>() ^ vectors<'j', 'i'>(of.columns, of.rows));
  auto A = bag(scalar<double>() ^ vectors<'k', 'i'>(of.middle, of.rows));
  auto B = bag(scalar<double>() ^ vectors<'j', 'k'>(of.columns, of.middle));

  // Each rank has a tile of C, rows of A and columns of B.
  const auto blocks_i = into_blocks<'i', 'I', 'y'>() ^ set_length<'I'>(of.down);
  const auto blocks_j = into_blocks<'j', 'J', 'x'>();
  const auto ranks = merge_blocks<'I', 'J', 'r'>();
  const auto all_c = traverser(C) ^ blocks_i ^ blocks_j ^ ranks ^ order<RowsC, 'y', 'x'>();
  const auto all_a = traverser(A) ^ blocks_i ^ bcast<'J'>() ^ ranks ^ order<RowsA, 'y', 'k'>();
  const auto all_b =
      traverser(B) ^ blocks_j ^ bcast<'I'>(of.down) ^ ranks ^ order<RowsB, 'k', 'x'>();
  const auto mine_c = mpi_traverser<'r'>(all_c, comm);
  const auto mine_a = mpi_traverser<'r'>(all_a, comm);
  const auto mine_b = mpi_traverser<'r'>(all_b, comm);
  auto c = tile_of<RowsC, 'y', 'x'>(mine_c);
  auto a = tile_of<RowsA, 'y', 'k'>(mine_a);
  auto b = tile_of<RowsB, 'k', 'x'>(mine_b);

  const auto fill = [&] {
    traverser(C) | [&](auto s) { C[s] = of.c(get_index<'i'>(s), get_index<'j'>(s)); };
    traverser(A) | [&](auto s) { A[s] = of.a(get_index<'i'>(s), get_index<'k'>(s)); };
    traverser(B) | [&](auto s) { B[s] = of.b(get_index<'k'>(s), get_index<'j'>(s)); };
  };
  const auto scatter = [&] {
    mine_c.scatter(send_buf(C), recv_buf(c));
    mine_a.scatter(send_buf(A), recv_buf(a));
    mine_b.scatter(send_buf(B), recv_buf(b));
  };
  const auto compute = [tile = c.get_ref(), a = a.get_ref(), b = b.get_ref()] {
    (traverser(tile, a, b) ^ hoist<'y', 'k', 'x'>()).template for_dims<'y'>([=](auto row) {
      traverser(tile) ^ fix(row.state()) | [=](auto s) { tile[s] *= beta; };
      row | [=](auto s) { tile[s] += alpha * a[s] * b[s]; };
    });
  };
  const auto gather = [&] { mine_c.gather(send_buf(c), recv_buf(C)); };
  use(steps{fill, scatter, compute, gather, C.data()});
}

}  // namespace gemm

// The variables that the examples of the member functions use (members.py). They are compiled, not run.

#pragma once

#include <functional>
#include <map>
#include <mpiglot/file.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/topology.hpp>
#include <mpiglot/view.hpp>
#include <mpiglot/window.hpp>
#include <vector>

using namespace mpiglot;

namespace examples {

// A class that owns its elements.
struct View {
  std::vector<int> elements;
  count_t rows, columns;
};

extern const mpiglot::file file;
extern const communicator comm;
extern const cartesian grid;
extern const window win;

extern std::vector<int> mine, all, parts, v, w, values, before, halo, field;
extern std::vector<int> a, b;
extern std::vector<int> n, m, counts, ones;
extern std::vector<mpi::aint_t> from, to, edges;
extern std::vector<mpi::datatype_handle> t, u;
extern int x, rank_0_knows, left, right, rank, zero, one, ticket;

}  // namespace examples

template <>
struct mpiglot::view_traits<examples::View> {
  static constexpr std::size_t rank = 2;

  static int* data(examples::View& of) { return of.elements.data(); }
  static const int* data(const examples::View& of) { return of.elements.data(); }
  static count_t extent(const examples::View& of, std::size_t i) {
    return i == 0 ? of.rows : of.columns;
  }
  static count_t stride(const examples::View& of, std::size_t i) { return i == 0 ? of.columns : 1; }
  static examples::View make(count_t rows, count_t columns) {
    return {std::vector<int>(static_cast<std::size_t>(rows * columns)), rows, columns};
  }
};

// The listings and the seven functions of "View-aware Message Passing Through the Integration of
// Kokkos and ExaMPI" in mpiglot, each checked: with Kokkos if MPIGLOT_EXAMPLES_KOKKOS is defined.

#ifdef MPIGLOT_EXAMPLES_KOKKOS
#include <Kokkos_Core.hpp>
namespace views = Kokkos;
#else
#include "small_views.hpp"
namespace views = small;
#endif

#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

#include <mpiglot/environment.hpp>
#include <mpiglot/layouts.hpp>

using namespace mpiglot;
using namespace mpiglot::layouts;
using views::View;

namespace {

bool right = true;
void expect(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s is wrong\n", what);
  right = false;
}

// The elements of a view of any rank, in the order of its indices.
template <class Data>
auto elements(const View<Data>& view) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return named<static_cast<char>('a' + I)...>(view);
  }(std::make_index_sequence<static_cast<std::size_t>(View<Data>::rank)>());
}
template <class Data>
void fill(const View<Data>& view, int next) {
  const auto all = elements(view);
  traverser(all) | [&](auto state) { all[state] = next++; };
}
// Whether the elements are `next`, `next` + `by` and so on.
template <class Data>
bool counts(const View<Data>& view, int next, int by = 1) {
  bool counted = true;
  std::size_t found = 0;
  const auto all = elements(view);
  traverser(all) | [&](auto state) {
    counted = counted && all[state] == next;
    next += by;
    ++found;
  };
  return counted && found == view.size();
}

// Listing 1: extents that are constants, or not, or both; and memory of somebody else.
void make_views(const communicator& comm) {
  const int n = 4;
  const int m = 3;
  std::vector<int> buffer(static_cast<std::size_t>(n));
  const View<int[5]> a("a");
  const View<int*> b("b", n);
  const View<int*> c(buffer.data(), n);
  const View<int**> d("d", n, m);
  const View<int** [3]> e("e", n, m);
  const auto arrives = [&](const auto& view) {
    if (comm.rank() == 0) fill(view, 7);
    comm.bcast(send_recv_buf(view));
    expect(counts(view, 7), "listing 1");
  };
  arrives(a);
  arrives(b);
  arrives(c);
  arrives(d);
  arrives(e);
  expect(buffer.back() == 10, "memory of somebody else");
}

// Listing 2: a loop over a view. Listings 3 to 5: it is sent, and received into a view, as it is; the
// other rank changes it and sends it back.
void ping_pong(const communicator& comm) {
  const int n = 8;
  const View<int*> view("view", n);
  const auto add = [&](int more) {
    views::parallel_for("add", n, [=](int i) { view(i) += more * i; });
  };
  if (comm.rank() == 0 && comm.size() > 1) {
    add(1);
    comm.send(send_buf(view), destination(1));
    comm.recv(recv_buf(view), source(1));
    expect(counts(view, 0, 3), "ping-pong");
  } else if (comm.rank() == 1) {
    comm.recv(recv_buf(view), source(0));
    expect(counts(view, 0), "ping");
    add(2);
    comm.send(send_buf(view), destination(0));
  }
}

// Send, Recv, Isend, Irecv, Bcast, Allgather and Allreduce of views of equal extents.
template <class Data>
void seven_functions(const communicator& comm, const View<Data>& mine, const View<Data>& other) {
  const int ranks = comm.size();
  const int next = (comm.rank() + 1) % ranks;
  const int before = (comm.rank() + ranks - 1) % ranks;
  const int size = static_cast<int>(mine.size());
  fill(mine, comm.rank() * size);

  fill(other, -1);
  auto sending = comm.isend(send_buf(mine), destination(next));
  comm.recv(recv_buf(other), source(before));
  sending.wait();
  expect(counts(other, before * size), "isend, recv");

  fill(other, -1);
  auto receiving = comm.irecv(recv_buf(other), source(before));
  comm.send(send_buf(mine), destination(next));
  receiving.wait();
  expect(counts(other, before * size), "send, irecv");

  comm.allreduce(send_buf(mine), recv_buf(other), op(std::plus<>()));
  expect(counts(other, size * ranks * (ranks - 1) / 2, ranks), "allreduce");

  const View<int*> all("all", ranks * size);
  comm.allgather(send_buf(mine), recv_buf(all));
  expect(counts(all, 0), "allgather");

  comm.bcast(send_recv_buf(mine), root(0));
  expect(counts(mine, 0), "bcast");
}

// Two views of 2 or 3 elements in each dimension.
template <class Data, class... Extents>
void with(const communicator& comm, Extents... extents) {
  seven_functions(comm, View<Data>("mine", extents...), View<Data>("other", extents...));
}

void every_rank(const communicator& comm) {
  with<int*>(comm, 3);
  with<int**>(comm, 3, 2);
  with<int***>(comm, 3, 2, 2);
  with<int****>(comm, 3, 2, 2, 3);
  with<int*****>(comm, 3, 2, 2, 3, 2);
  with<int******>(comm, 3, 2, 2, 3, 2, 2);
  with<int*******>(comm, 3, 2, 2, 3, 2, 2, 2);
  with<int********>(comm, 3, 2, 2, 3, 2, 2, 2, 2);
  with<int[3]>(comm);
  with<int[3][2]>(comm);
  with<int[3][2][2][3][2][2][2][2]>(comm);
  with<int* [2]>(comm, 3);
  with<int**** [2][3][2][2]>(comm, 3, 2, 2, 2);
}

}  // namespace

int main(int argc, char** argv) {
  const environment environment(argc, argv);
#ifdef MPIGLOT_EXAMPLES_KOKKOS
  const Kokkos::ScopeGuard guard(argc, argv);
#endif
  const communicator comm;
  make_views(comm);
  ping_pong(comm);
  every_rank(comm);
  const bool all_right =
      comm.allreduce_single(send_buf(right ? 1 : 0), op(std::multiplies<>())) != 0;
  if (comm.rank() == 0)
    std::printf("views of one to eight dimensions: %s\n", all_right ? "right" : "wrong");
  return all_right ? 0 : 1;
}

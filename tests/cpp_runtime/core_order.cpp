// Views in the order of their memory: what arrives is what a loop over all addresses would have moved.

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/memory_order.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/strided.hpp>

#include "catchable.hpp"
#include "foreign_views.hpp"

using namespace mpiglot;
using namespace catchable;
using namespace foreign;

namespace {

using cube = span_of_many<double, 3>;
using counted_view = counted_columns<6, 0, 2>;

// Elements in the order of their indices, which are in reversed order in some dimensions; `gap`
// elements lie behind each row, and dimension `order[2]` is the fastest in memory.
struct laid_out {
  std::vector<double> memory;
  cube view;

  laid_out(std::array<std::size_t, 3> order, unsigned reversed, long gap, double from = 0) {
    constexpr std::array<long, 3> lengths{2, 3, 4};
    view.lengths = lengths;
    long step = 1;
    long before = 0;
    for (std::size_t i = 3; i-- > 0;) {
      const std::size_t d = order[i];
      view.strides[d] = step;
      if ((reversed >> d & 1U) != 0) {
        view.strides[d] = -step;
        before += (lengths[d] - 1) * step;
      }
      step *= lengths[d] + (i == 2 ? gap : 0);
    }
    memory.resize(static_cast<std::size_t>(step), -1);
    view.first = memory.data() + before;
    for (double* element : in_memory()) *element = from++;
  }
  // The addresses of all elements, from the lowest on.
  [[nodiscard]] std::vector<double*> in_memory() const {
    std::vector<double*> all;
    for (long i = 0; i < view.lengths[0]; ++i)
      for (long j = 0; j < view.lengths[1]; ++j)
        for (long k = 0; k < view.lengths[2]; ++k)
          all.push_back(view.first + i * view.strides[0] + j * view.strides[1] +
                        k * view.strides[2]);
    std::sort(all.begin(), all.end());
    return all;
  }
};

constexpr std::array<std::array<std::size_t, 3>, 6> orders{
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

// Calls `look` with each way in which 24 elements lie, or with some.
template <class Look>
void each_way(Look look, unsigned step = 1) {
  for (const auto& order : orders)
    for (unsigned reversed = 0; reversed < 8; reversed += step)
      for (const long gap : {0L, 1L}) look(order, reversed, gap);
}
constexpr std::size_t elements = 24;

template <class View>
concept can_be_ordered = requires(View&& view) { memory_order(static_cast<View&&>(view)); };
static_assert(can_be_ordered<column_major&> && can_be_ordered<const column_major&>);
static_assert(!can_be_ordered<column_major>);  // it would die
static_assert(can_be_ordered<counted_view> && can_be_ordered<counted_view&>);
static_assert(can_be_ordered<cube> && can_be_ordered<const cube&>);
static_assert(!can_be_ordered<std::vector<int>&>);

strided_view<double> columns(std::vector<double>& memory, long rows, long count) {
  return {memory.data(), rows, count, 1, rows};
}

}  // namespace

TEST(a_view_without_gaps_is_lent_as_it_lies) {
  each_way([](auto order, unsigned reversed, long gap) {
    const laid_out data(order, reversed, gap);
    auto view = memory_order(data.view);
    buffer_adapter<decltype(view)&, form::message, no_resize> message(view);
    buffer_adapter<decltype(view)&, form::block, no_resize> block(view);
    check::equal(message.described() || message.keeps_memory(), gap != 0);
    check::equal(block.keeps_memory(), gap != 0);
    if (gap != 0) return;
    const auto lent = message.out();
    check::expect(lent.address == data.memory.data() && lent.count == elements);
  });
}

TEST(elements_travel_in_the_order_of_memory) {
  const communicator comm;
  const int me = comm.rank();
  each_way([&](auto order, unsigned reversed, long gap) {
    const laid_out sent(order, reversed, gap, me);
    std::vector<double> expected(elements);
    std::iota(expected.begin(), expected.end(), me);
    const auto view = send_buf(memory_order(sent.view));
    auto request = comm.isend(view, destination(me));
    check::equal(comm.recv<double>(source(me)), expected);
    request.wait();

    laid_out received(order, reversed, gap, 100);
    comm.sendrecv(view, destination(me), recv_buf(memory_order(received.view)), source(me));
    check::equal(received.memory, sent.memory);
    auto two = comm.isend(send_buf(std::vector<double>{7, 8}), destination(me));
    check::equal(comm.recv(recv_buf(memory_order(received.view)), source(me), recv_count_out()),
                 count_t{2});
    check::expect(*received.in_memory()[1] == 8 && *received.in_memory()[2] == me + 2);
    two.wait();
  });
}

TEST(collectives_move_elements_in_the_order_of_memory) {
  const communicator comm;
  const auto size = static_cast<std::size_t>(comm.size());
  const int last = comm.size() - 1;
  each_way(
      [&](auto order, unsigned reversed, long gap) {
        laid_out data(order, reversed, gap, comm.rank());
        const laid_out of_last(order, reversed, gap, last);
        comm.bcast(send_recv_buf(memory_order(data.view)), root(last));
        check::equal(data.memory, of_last.memory);

        const auto all = comm.allgather(send_buf(memory_order(data.view)));
        check::equal(all.size(), size * elements);
        check::equal(all[(size - 1) * elements + 5], last + 5.0);
        const std::vector<double> parts(comm.rank() == last ? size * elements : 0, 4);
        comm.scatter(send_buf(parts), recv_buf(memory_order(data.view)), root(last));
        check::equal(
            static_cast<std::size_t>(std::count(data.memory.begin(), data.memory.end(), 4)),
            elements);
        comm.allreduce(send_buf(memory_order(of_last.view)), recv_buf(memory_order(data.view)),
                       op(mpi::max));
        check::equal(data.memory, of_last.memory);
      },
      5);
}

TEST(columns_are_scattered_and_gathered_as_they_lie) {
  const communicator comm;
  const long size = comm.size();
  std::vector<double> whole(static_cast<std::size_t>(4 * 3 * size));
  if (comm.rank() == 0) std::iota(whole.begin(), whole.end(), 0);
  std::vector<double> tile(12);
  const auto part = memory_order(columns(tile, 4, 3));
  const basic_communicator<checked_together> together;
  together.scatter(send_buf(memory_order(columns(whole, 4, 3 * size))), recv_buf(part));
  check::equal(tile[5], 12.0 * comm.rank() + 5);
  tile[5] += 1000;
  together.gather(send_buf(part), recv_buf(memory_order(columns(whole, 4, 3 * size))));
  if (comm.rank() == 0)
    check::equal(whole[17 % whole.size()], 1000.0 + static_cast<double>(17 % whole.size()));
}

TEST(ranks_that_differ_in_order_are_a_disagreement) {
  const basic_communicator<checked_together> comm;
  const bool here = comm.rank() == comm.size() - 1;
  std::vector<double> memory(16, 1);
  const strided_view<double> across{memory.data(), 4, 4, 4};
  const strided_view<double> down{memory.data(), 4, 4, 1, 4};
  const strided_view<double> back{memory.data() + 15, 4, 4, -4, -1};
  const auto agree = [&](auto ours, auto theirs) {
    if (here)
      comm.bcast(send_recv_buf(ours));
    else
      comm.bcast(send_recv_buf(theirs));
  };
  agree(memory_order(across), across);  // both in the order of indices
  agree(memory_order(down), memory_order(down));
  agree(memory_order(back), memory_order(back));
  agree(memory_order(cube{memory.data(), {4, 1, 4}, {4, 100, 1}}),  // one element lies anywhere
        memory_order(cube{memory.data(), {4, 1, 4}, {4, -1, 1}}));
  agree(memory_order(cube{memory.data(), {4, 1, 4}, {4, 100, 1}}),
        cube{memory.data(), {4, 1, 4}, {4, 1, 1}});
  agree(memory_order(cube{memory.data(), {1, 4, 3}, {-7, 1, 4}}),
        memory_order(cube{memory.data(), {1, 4, 3}, {1, 1, 4}}));
  if (comm.size() == 1) return;
  caught<disagreement>([&] { agree(memory_order(across), memory_order(down)); });
  try {
    agree(memory_order(down), down);
    check::expect(false);
  } catch (const disagreement& error) {
    check::expect(std::string(error.what()).find("memory orders") != std::string::npos);
  }
  caught<disagreement>([&] { agree(memory_order(back), memory_order(across)); });
  caught<disagreement>([&] { agree(memory_order(back), memory_order(down)); });
  works_on();
}

TEST(views_that_own_or_share_elements_travel_as_they_lie) {
  const communicator comm;
  const auto to = destination(comm.rank());
  const auto from = source(comm.rank());
  column_major matrix;
  std::iota(matrix.elements.begin(), matrix.elements.end(), 0);
  auto first = comm.isend(send_buf(memory_order(std::as_const(matrix))), to);
  column_major copy;
  comm.recv(recv_buf(memory_order(copy)), from);
  first.wait();
  check::equal(copy.elements, matrix.elements);

  counted_view shared;
  auto second = comm.irecv(recv_buf(memory_order(counted_view(shared))), from);
  auto third = comm.isend(send_buf(std::vector<double>{1, 2, 3, 4, 5, 6}), to);
  const auto received = second.wait();
  third.wait();
  check::equal(*shared.owner, std::vector<double>{1, 2, 3, 4, 5, 6});
  check::expect(received.view().owner == shared.owner);
}

TEST(what_is_wrong_with_a_view_is_told_in_the_order_of_memory_too) {
  const communicator comm(mpi::comm_self);
  std::vector<double> memory(4);
  const auto refused = [&](strided_view<double> view) {
    caught<view_error>([&] { comm.send(send_buf(memory_order(view)), destination(0)); });
  };
  refused({nullptr, 2, 2, 1, 2});
  refused({nullptr, 2, 2, -1, -2});
  refused({memory.data(), 1L << 62, 2, -4, 1});
  refused({memory.data(), 2, 2, 1, -(1L << 61)});
  comm.send(send_buf(memory_order(strided_view<double>{nullptr, 0, 2, -1, 2})),
            destination(mpi::proc_null));
  caught<view_error>([&] {  // elements that share memory
    comm.sendrecv(send_buf(memory), destination(0),
                  recv_buf(memory_order(strided_view<double>{memory.data(), 2, 2, 1, 1})),
                  source(0));
  });
}

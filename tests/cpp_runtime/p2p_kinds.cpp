// Every mode in every form with every kind of buffer, to the process itself, whose receive is there
// before: so that no mode waits for ever.

#include <algorithm>
#include <span>

#include <mpiglot/bsend_buffer.hpp>
#include <mpiglot/raw.hpp>

#include "kinds.hpp"

using namespace kinds;

namespace {

// The forms of one mode: blocking, nonblocking and, of buffers that stay, persistent.
template <class Send, class Isend, class Init>
struct mode {
  Send send;
  Isend isend;
  Init init;
};
template <class Send, class Isend, class Init>
mode(Send, Isend, Init) -> mode<Send, Isend, Init>;

// Receives into what `into()` gives while `send` runs, and looks.
void receive(auto into, auto arrived, auto send) {
  const communicator comm;
  auto receiving = comm.irecv(into(), source(comm.rank()), tag(3));
  send(comm, destination(comm.rank()), tag(3));
  if constexpr (std::is_void_v<decltype(receiving.wait())>) {
    receiving.wait();
    arrived();
  } else {
    arrived(receiving.wait());
  }
}

// Sends what `sent()` gives.
void at_once(auto mode, auto sent, auto into, auto arrived) {
  receive(into, arrived, [&](auto& comm, auto... where) { mode.send(comm, sent(), where...); });
  receive(into, arrived,
          [&](auto& comm, auto... where) { mode.isend(comm, sent(), where...).wait(); });
}

// And what always has the same length twice by one persistent request.
void in_each_form(auto mode, auto sent, auto into, auto arrived) {
  at_once(mode, sent, into, arrived);
  const communicator comm;
  auto bound = mode.init(comm, sent(), destination(comm.rank()), tag(3));
  for (int round = 0; round < 2; ++round)
    receive(into, arrived, [&](auto&&...) {
      bound.start();
      bound.wait();
    });
}

void with_every_kind(auto mode) {
  const std::vector<int> numbers = vector(1, 9);
  in_each_form(
      mode, [&] { return send_buf(numbers); },
      [] { return recv_buf(at_most(4000, std::vector<int>())); },
      [&](const std::vector<int>& found) { check::equal(found, numbers); });

  const particle one = particle_of(3);
  particle single;
  in_each_form(
      mode, [&] { return send_buf(one); }, [&] { return recv_buf(single = {}); },
      [&] { check::equal(single, one); });

  std::vector<int> room(9);
  in_each_form(
      mode, [&] { return send_buf(std::span(numbers).first(5)); },
      [&] { return recv_buf(std::span(room)); },
      [&] { check::expect(std::ranges::equal(std::span(room).first(5), vector(1, 5))); });

  // Three ints, each second of them.
  mpi::unique_datatype column(mpi::type_vector(3, 1, 2, mpi::int_));
  mpi::type_commit(column);
  in_each_form(
      mode, [&] { return send_buf(raw(numbers.data(), 1, column.get())); },
      [&] {
        std::ranges::fill(room, -1);
        return recv_buf(raw(static_cast<void*>(room.data()), 3, mpi::int_));
      },
      [&](auto&&...) {
        check::equal(room, std::vector<int>{1000, 1002, 1004, -1, -1, -1, -1, -1, -1});
      });

  const dictionary words = dictionary_of(4);
  at_once(
      mode, [&] { return send_buf(as_serialized(words)); },
      [] { return recv_buf(at_most(4000, as_deserializable<dictionary>())); },
      [&](const dictionary& found) { check::equal(found, words); });

  matrix from(7);
  matrix to(50);
  in_each_form(
      mode, [&] { return send_buf(from.rectangle()); }, [&] { return recv_buf(to.rectangle()); },
      [&](auto&&...) { check::expect(to.is(7)); });

  const forest trees = forest_of(3);
  at_once(
      mode, [&] { return send_buf(deep(trees)); },
      [] { return recv_buf(at_most(4000, deep<forest>())); },
      [&](const forest& found) { check::expect(same(found, trees)); });
}

}  // namespace

#define FORM(op) \
  [](const communicator& comm, auto&&... a) { return comm.op(static_cast<decltype(a)>(a)...); }

TEST(standard_sends_take_every_kind) {
  with_every_kind(mode{FORM(send), FORM(isend), FORM(send_init)});
}
TEST(synchronous_sends_take_every_kind) {
  with_every_kind(mode{FORM(ssend), FORM(issend), FORM(ssend_init)});
}
TEST(ready_sends_take_every_kind) {
  with_every_kind(mode{FORM(rsend), FORM(irsend), FORM(rsend_init)});
}
TEST(buffered_sends_take_every_kind) {
  const bsend_buffer buffer(bsend_buffer::room_for(10000, 8));
  with_every_kind(mode{FORM(bsend), FORM(ibsend), FORM(bsend_init)});
}

// Elements that take no memory, so many that an int cannot count them.
TEST(more_elements_than_an_int_counts_arrive_or_are_refused) {
  const communicator comm;
  mpi::unique_datatype nothing(mpi::type_contiguous(0, mpi::char_));
  mpi::type_commit(nothing);
  const count_t many = (count_t{1} << 31) + 5;
  char place = 'x';
  const auto exchange = [&] {
    auto receiving = comm.irecv(recv_buf(raw(static_cast<void*>(&place), many, nothing.get())),
                                source(comm.rank()));
    comm.send(send_buf(raw(&place, many, nothing.get())), destination(comm.rank()));
    receiving.wait();
  };
  if constexpr (mpi::has_send_c)
    exchange();
  else
    check::equal(check::thrown_by(exchange).error_class(), mpi::error_class::count);
  check::equal(place, 'x');
}

TEST(empty_messages_arrive_in_every_form) {
  const communicator comm;
  const std::vector<int> none;
  const dictionary no_words;
  auto first = comm.isend(send_buf(none), destination(comm.rank()), tag(1));
  auto second = comm.isend(send_buf(as_serialized(no_words)), destination(comm.rank()), tag(2));
  check::expect(comm.recv(recv_buf(std::vector<int>(5)), source(comm.rank()), tag(1)).empty());
  dictionary words = dictionary_of(2);
  comm.recv(recv_buf(as_deserializable(words)), source(comm.rank()), tag(2));
  check::expect(words.empty());
  first.wait();
  second.wait();
}

// From a temporary, from a constant, from what is moved in: into what is there, and by value.
TEST(serialized_values_are_sent_however_they_are_held) {
  const communicator comm;
  const int self = comm.rank();
  const dictionary constant = dictionary_of(2);
  dictionary moved = dictionary_of(3);
  auto a = comm.isend(send_buf(as_serialized(dictionary_of(1))), destination(self), tag(1));
  auto b = comm.isend(send_buf(as_serialized(constant)), destination(self), tag(2));
  auto c = comm.isend(send_buf_out(as_serialized(std::move(moved))), destination(self), tag(3));
  dictionary there = dictionary_of(9);
  comm.recv(recv_buf(as_deserializable(there)), source(self), tag(1));
  check::equal(there, dictionary_of(1));
  check::equal(comm.recv(recv_buf(as_deserializable<dictionary>()), source(self), tag(2)),
               constant);
  check::equal(comm.recv(recv_buf(as_serialized(dictionary())), source(self), tag(3)),
               dictionary_of(3));
  a.wait();
  b.wait();
  check::equal(c.wait(), dictionary_of(3));
}

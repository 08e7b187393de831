// Sends in every mode and form, probes and matched messages.

#include <algorithm>

#include <mpiglot/bsend_buffer.hpp>
#include <mpiglot/wait.hpp>

#include "kinds.hpp"

using namespace kinds;

namespace {

int next(const communicator& comm) { return (comm.rank() + 1) % comm.size(); }
int previous(const communicator& comm) { return (comm.rank() + comm.size() - 1) % comm.size(); }

// Sends all kinds of buffers around the ring by `post(parameters...)`, which gives a request. The
// receives are there before, as ready mode wants it.
void goes_round(auto post) {
  const communicator comm;
  const int from = previous(comm);
  auto numbers = comm.irecv(recv_buf(std::vector<int>()), recv_count(9), source(from), tag(1));
  auto one = comm.irecv(recv_buf(particle()), source(from), tag(2));
  auto words =
      comm.irecv(recv_buf(at_most(4000, as_deserializable<dictionary>())), source(from), tag(3));
  matrix theirs(50);
  auto rectangle = comm.irecv(recv_buf(theirs.rectangle()), source(from), tag(4));
  auto trees = comm.irecv(recv_buf(at_most(4000, deep<forest>())), source(from), tag(5));
  mpi::barrier(comm);

  std::vector<int> mine = vector(comm.rank(), 4);
  matrix my_matrix(comm.rank());
  auto sent = post(comm, send_buf(mine), tag(1));
  auto sent_one = post(comm, send_buf(particle_of(comm.rank())), tag(2));
  auto sent_words = post(comm, send_buf(as_serialized(dictionary_of(comm.rank()))), tag(3));
  auto sent_rectangle = post(comm, send_buf(my_matrix.rectangle()), tag(4));
  auto sent_trees = post(comm, send_buf(deep(forest_of(comm.rank()))), tag(5));
  check::equal(numbers.wait(), vector(from, 4));
  check::equal(one.wait(), particle_of(from));
  check::equal(words.wait(), dictionary_of(from));
  rectangle.wait();
  check::expect(theirs.is(from));
  check::expect(same(trees.wait(), forest_of(from)));
  sent.wait();
  sent_one.wait();
  sent_words.wait();
  sent_rectangle.wait();
  sent_trees.wait();
}

// Starts twice with other contents each time.
void starts_again(auto make) {
  const communicator comm;
  std::vector<int> out(3);
  std::vector<int> in(3);
  auto receiving = comm.recv_init(recv_buf(in), source(comm.rank()), tag(8));
  auto sending = make(comm, send_buf(out), destination(comm.rank()), tag(8));
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 3; ++i) out[static_cast<std::size_t>(i)] = 1000 * round + i;
    receiving.start();
    sending.start();
    sending.wait();
    receiving.wait();
    check::equal(in, vector(round, 3));
  }
}

// A blocking send to itself returns, because the receive is there.
void arrives(auto send) {
  const communicator comm;
  auto received =
      comm.irecv(recv_buf(std::vector<int>()), recv_count(9), source(comm.rank()), tag(6));
  send(comm, send_buf(vector(3, 5)), destination(comm.rank()), tag(6));
  check::equal(received.wait(), vector(3, 5));
  auto back = comm.irecv(recv_buf(int()), source(comm.rank()));
  check::equal(send(comm, send_buf_out(std::vector<int>{7}), destination(comm.rank())),
               std::vector<int>{7});
  check::equal(back.wait(), 7);
}

}  // namespace

#define FORWARD(op) \
  [](const communicator& comm, auto&&... a) { return comm.op(static_cast<decltype(a)>(a)...); }
#define ROUND(op)                                                            \
  [](const communicator& comm, auto&&... a) {                                \
    return comm.op(static_cast<decltype(a)>(a)..., destination(next(comm))); \
  }

TEST(every_mode_has_its_blocking_form) {
  const bsend_buffer buffer(bsend_buffer::room_for(100, 4));
  arrives(FORWARD(send));
  arrives(FORWARD(bsend));
  arrives(FORWARD(ssend));
  arrives(FORWARD(rsend));
}

TEST(every_mode_has_its_nonblocking_form) {
  const bsend_buffer buffer(bsend_buffer::room_for(4000, 10));
  goes_round(ROUND(isend));
  goes_round(ROUND(ibsend));
  goes_round(ROUND(issend));
  goes_round(ROUND(irsend));
}

TEST(every_mode_has_its_persistent_form) {
  const bsend_buffer buffer(bsend_buffer::room_for(100, 4));
  starts_again(FORWARD(send_init));
  starts_again(FORWARD(bsend_init));
  starts_again(FORWARD(ssend_init));
  starts_again(FORWARD(rsend_init));
}

// Some Open MPI sends other bytes from the second start on if the message is no eager one.
TEST(a_prepared_buffered_send_has_the_elements_of_each_start) {
  const communicator comm;
  for (const int n : {0, 1, 1000, 1200, 20000, 300000}) {
    const bsend_buffer buffer(
        bsend_buffer::room_for(static_cast<mpi::count_t>(sizeof(int)) * n, 8));
    std::vector<int> out(static_cast<std::size_t>(n)), one{0};
    auto large = comm.bsend_init(send_buf(out), destination(next(comm)), tag(3));
    auto small = comm.bsend_init(send_buf(one), destination(next(comm)), tag(4));
    auto with_nobody = comm.bsend_init(send_buf(out), destination(mpi::proc_null));
    for (int round = 0; round < 4; ++round) {
      std::ranges::copy(vector(10 * round + comm.rank(), n), out.begin());
      one[0] = round;
      if (round % 2 == 0) {
        large.start();
        small.start();
        large.wait();
        small.wait();
      } else {
        start_all(large, small);
        wait_all(large, small);
      }
      with_nobody.start();
      with_nobody.wait();
      check::equal(comm.recv(recv_buf(std::vector<int>()), source(previous(comm)), tag(3)),
                   vector(10 * round + previous(comm), n));
      check::equal(comm.recv(recv_buf(int()), source(previous(comm)), tag(4)), round);
    }
  }
}

TEST(a_buffered_send_returns_without_a_receive) {
  const communicator comm;
  bsend_buffer buffer(bsend_buffer::room_for(100000, 2));
  comm.bsend(send_buf(vector(comm.rank(), 20000)), destination(next(comm)));
  check::equal(comm.recv(recv_buf(std::vector<int>()), source(previous(comm))),
               vector(previous(comm), 20000));
  mpi::barrier(comm);
  buffer.flush();
  check::expect(buffer.size() > 200000);
}

// On a communicator of its own: with Open MPI 4.1 no message arrives on it afterwards.
TEST(a_buffered_send_without_room_throws_and_sends_nothing) {
  const communicator comm = communicator().dup();
  {
    const bsend_buffer buffer(bsend_buffer::room_for(100));
    const auto error = check::thrown_by(
        [&] { comm.bsend(send_buf(vector(1, 100000)), destination(comm.rank()), tag(9)); });
    check::equal(error.error_class(), mpi::error_class::buffer);
  }
  check::expect(!comm.iprobe(source(comm.rank()), tag(9)));
}

TEST(a_communicator_has_a_buffer_of_its_own_since_mpi_4_1) {
  const communicator comm;
  const communicator other = comm.dup();
  if constexpr (bsend_buffer::per_communicator) {
    bsend_buffer buffer(other, bsend_buffer::room_for(100));
    other.bsend(send_buf(vector(comm.rank(), 5)), destination(next(comm)));
    check::equal(other.recv(recv_buf(std::vector<int>()), source(previous(comm))),
                 vector(previous(comm), 5));
    mpi::barrier(comm);
    buffer.flush();
  } else {
    check::thrown_by<mpi::unavailable>([&] { const bsend_buffer buffer(other, 1000); });
  }
}

TEST(a_probe_tells_what_would_be_received) {
  const communicator comm;
  auto sent = comm.isend(send_buf(vector(1, 6)), destination(next(comm)), tag(12));
  const auto found = comm.probe(source(previous(comm)), tag(12));
  check::equal(found.source(), previous(comm));
  check::equal(found.tag(), 12);
  check::equal(found.template count<int>(), count_t{6});
  const auto again = comm.iprobe(tag(12));
  check::expect(again && again->template count<int>() == 6);
  check::expect(!comm.iprobe(tag(13)));
  check::equal(comm.recv(recv_buf(std::vector<int>()), tag(12)), vector(1, 6));
  sent.wait();
}

TEST(a_matched_message_is_received_by_whoever_holds_it) {
  const communicator comm;
  const int self = comm.rank();
  auto first = comm.isend(send_buf(vector(1, 3)), destination(self), tag(4));
  auto second = comm.isend(send_buf(vector(2, 5)), destination(self), tag(4));
  auto held = comm.mprobe(source(self), tag(4));
  check::equal(held.count<int>(), count_t{3});
  check::equal(held.source(), self);
  check::equal(held.tag(), 4);
  // Later ones overtake it now.
  check::equal(comm.recv(recv_buf(std::vector<int>()), source(self), tag(4)), vector(2, 5));
  auto moved = std::move(held);
  check::expect(!held.pending() && moved.pending());
  check::equal(moved.recv(recv_buf(std::vector<int>())), vector(1, 3));
  check::expect(!moved.pending());
  first.wait();
  second.wait();
}

TEST(a_matched_message_knows_its_length_in_every_form) {
  const communicator comm;
  const int self = comm.rank();
  auto numbers = comm.isend(send_buf(vector(1, 3)), destination(self), tag(1));
  auto words = comm.isend(send_buf(as_serialized(dictionary_of(2))), destination(self), tag(2));
  auto trees = comm.isend(send_buf(deep(forest_of(2))), destination(self), tag(3));
  auto one = comm.isend(send_buf(particle_of(4)), destination(self), tag(4));

  auto got_numbers = comm.mprobe(source(self), tag(1)).irecv(recv_buf(std::vector<int>()));
  auto got_words =
      comm.mprobe(source(self), tag(2)).irecv(recv_buf(as_deserializable<dictionary>()));
  auto [forest, n] =
      comm.mprobe(source(self), tag(3)).recv(recv_buf(deep<kinds::forest>()), recv_count_out());
  particle single;
  comm.mprobe(source(self), tag(4)).recv(recv_buf(single));
  check::equal(got_numbers.wait(), vector(1, 3));
  check::equal(got_words.wait(), dictionary_of(2));
  check::expect(same(forest, forest_of(2)) && n > 0);
  check::equal(single, particle_of(4));
  numbers.wait();
  words.wait();
  trees.wait();
  one.wait();
}

TEST(a_matching_probe_may_find_nothing) {
  const communicator comm;
  check::expect(!comm.improbe(source(comm.rank()), tag(99)));
  auto sent = comm.isend(send_buf(5), destination(comm.rank()), tag(99));
  auto found = comm.improbe(source(comm.rank()), tag(99));
  while (!found) found = comm.improbe(source(comm.rank()), tag(99));
  check::equal(found->recv(recv_buf(int())), 5);
  sent.wait();
}

TEST(a_matched_message_that_is_dropped_is_received_and_gone) {
  const communicator comm;
  const std::vector<int> large(300000, comm.rank());
  auto sent = comm.isend(send_buf(large), destination(next(comm)), tag(3));
  static_cast<void>(comm.mprobe(source(previous(comm)), tag(3)));
  sent.wait();
  check::expect(!comm.iprobe(source(previous(comm)), tag(3)));
}

TEST(messages_to_and_from_nobody_are_empty) {
  const communicator comm;
  comm.send(send_buf(vector(1, 3)), destination(mpi::proc_null));
  check::expect(comm.recv(recv_buf(std::vector<int>(5)), source(mpi::proc_null)).empty());
  auto received = comm.irecv(recv_buf(std::vector<int>(5)), recv_count(5), source(mpi::proc_null));
  check::expect(received.wait().empty());
  auto message = comm.mprobe(source(mpi::proc_null));
  check::equal(message.count<int>(), count_t{0});
  check::expect(message.recv(recv_buf(std::vector<int>(2))).empty());
}

TEST(a_receive_tells_its_status_and_its_count) {
  const communicator comm;
  auto sent = comm.isend(send_buf(vector(1, 6)), destination(next(comm)), tag(21));
  std::vector<int> values(10);
  auto [n, status] = comm.recv(recv_buf(values), recv_count_out(), status_out());
  check::equal(n, count_t{6});
  check::equal(status.source(), previous(comm));
  check::equal(status.tag(), 21);
  check::equal(status.template count<int>(), count_t{6});
  sent.wait();
}

TEST(requests_are_assigned_and_kept_in_containers) {
  const communicator comm;
  std::vector<int> in(4);
  using receive = decltype(comm.irecv(recv_buf(in[0]), source(0), tag(0)));
  std::vector<receive> all;
  for (int i = 0; i < 4; ++i)
    all.push_back(
        comm.irecv(recv_buf(in[static_cast<std::size_t>(i)]), source(comm.rank()), tag(i)));
  for (int i = 0; i < 4; ++i) comm.send(send_buf(10 * i), destination(comm.rank()), tag(i));
  std::swap(all[0], all[3]);
  for (receive& each : all) each.wait();
  check::equal(in, std::vector<int>{0, 10, 20, 30});
}

TEST(a_result_is_given_once) {
  const communicator comm;
  auto received = comm.irecv(recv_buf(std::vector<int>()), recv_count(3), source(comm.rank()));
  comm.send(send_buf(vector(1, 3)), destination(comm.rank()));
  check::equal(received.wait(), vector(1, 3));
  check::thrown_by([&] { static_cast<void>(received.wait()); });
  check::thrown_by([&] { static_cast<void>(received.test()); });
}

TEST(a_receive_can_be_cancelled) {
  const communicator comm;
  auto nobody =
      comm.irecv(recv_buf(std::vector<int>()), recv_count(3), source(comm.rank()), tag(5));
  check::expect(!nobody.cancel());
  check::expect(!nobody.pending());
  auto sent = comm.isend(send_buf(vector(1, 3)), destination(comm.rank()), tag(5));
  check::equal(comm.recv(recv_buf(std::vector<int>()), source(comm.rank()), tag(5)), vector(1, 3));
  sent.wait();
  // Either the receive has its message or the next one gets it.
  std::vector<int> values(3);
  auto matched = comm.irecv(recv_buf(values), source(comm.rank()), tag(6));
  comm.send(send_buf(vector(2, 3)), destination(comm.rank()), tag(6));
  if (!matched.cancel()) comm.recv(recv_buf(values), source(comm.rank()), tag(6));
  check::equal(values, vector(2, 3));
}

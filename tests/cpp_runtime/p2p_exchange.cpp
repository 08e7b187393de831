// Sending and receiving at once, and partitioned messages.

#include <algorithm>

#include "kinds.hpp"

using namespace kinds;

namespace {

int next(const communicator& comm) { return (comm.rank() + 1) % comm.size(); }
int previous(const communicator& comm) { return (comm.rank() + comm.size() - 1) % comm.size(); }

}  // namespace

TEST(sendrecv_carries_every_kind) {
  const communicator comm;
  const int from = previous(comm);
  const auto round = [&](auto mine, auto theirs) {
    return comm.sendrecv(std::move(mine), destination(next(comm)), std::move(theirs), source(from));
  };
  std::vector<int> in(4);
  round(send_buf(vector(comm.rank(), 4)), recv_buf(in));
  check::equal(in, vector(from, 4));
  check::equal(round(send_buf(vector(comm.rank(), comm.rank())), recv_buf(std::vector<int>())),
               vector(from, from));
  check::equal(round(send_buf(particle_of(comm.rank())), recv_buf(particle())), particle_of(from));
  check::equal(round(send_buf(as_serialized(dictionary_of(comm.rank()))),
                     recv_buf(as_deserializable<dictionary>())),
               dictionary_of(from));
  check::expect(same(round(send_buf(deep(forest_of(comm.rank()))), recv_buf(deep<forest>())),
                     forest_of(from)));
  matrix mine(comm.rank());
  matrix theirs(50);
  round(send_buf(mine.rectangle()), recv_buf(theirs.rectangle()));
  check::expect(theirs.is(from));
  check::equal(round(send_buf(mine.rectangle()), recv_buf(std::vector<double>())),
               rectangle_of(from));
}

TEST(sendrecv_gives_back_what_was_moved_in_and_asked_for) {
  const communicator comm;
  auto [received, sent, n, status] = comm.sendrecv(
      send_buf_out(vector(comm.rank(), 3)), destination(next(comm)), recv_buf(std::vector<int>()),
      source(previous(comm)), recv_count_out(), status_out());
  check::equal(received, vector(previous(comm), 3));
  check::equal(sent, vector(comm.rank(), 3));
  check::equal(n, count_t{3});
  check::equal(status.source(), previous(comm));
}

TEST(a_type_in_angle_brackets_is_received_by_value) {
  const communicator comm;
  const auto mine = vector(comm.rank(), comm.rank());
  const auto theirs = vector(previous(comm), previous(comm));
  check::equal(comm.sendrecv<int>(send_buf(mine), destination(next(comm)), source(previous(comm))),
               theirs);
  auto receiving = comm.irecv<int>(source(previous(comm)), recv_count(9), tag(1));
  comm.send(send_buf(mine), destination(next(comm)), tag(1));
  check::equal(receiving.wait(), theirs);
  auto sending = comm.isend(send_buf(mine), destination(next(comm)));
  check::equal(comm.recv<int>(source(previous(comm))), theirs);
  sending.wait();
}

// An exchange of lengths under any tag would swallow the message of another tag.
TEST(sendrecv_of_unknown_length_leaves_other_messages_alone) {
  const communicator comm;
  auto other = comm.isend(send_buf(vector(9, 5)), destination(next(comm)), tag(7));
  check::equal(comm.sendrecv(send_buf(vector(comm.rank(), 3)), destination(next(comm)), send_tag(1),
                             recv_buf(std::vector<int>()), source(previous(comm)), recv_tag(1)),
               vector(previous(comm), 3));
  check::equal(comm.recv(recv_buf(std::vector<int>()), source(previous(comm)), tag(7)),
               vector(9, 5));
  other.wait();
}

TEST(sendrecv_of_large_messages_of_unknown_length_does_not_hang) {
  const communicator comm;
  const std::vector<int> mine(1u << 20, comm.rank());
  const auto theirs = comm.sendrecv(send_buf(mine), destination(next(comm)),
                                    recv_buf(std::vector<int>()), source(previous(comm)));
  check::equal(theirs, std::vector<int>(1u << 20, previous(comm)));
}

TEST(sendrecv_at_the_ends_of_a_chain) {
  const communicator comm;
  const int left = comm.rank() > 0 ? comm.rank() - 1 : mpi::proc_null;
  const int right = comm.rank() + 1 < comm.size() ? comm.rank() + 1 : mpi::proc_null;
  const auto received = comm.sendrecv(send_buf(vector(comm.rank(), 2)), destination(right),
                                      recv_buf(std::vector<int>()), source(left));
  check::equal(received, left == mpi::proc_null ? std::vector<int>() : vector(left, 2));
}

TEST(sendrecv_replace_carries_every_kind) {
  const communicator comm;
  const int from = previous(comm);
  const auto round = [&](auto buffer) {
    return comm.sendrecv_replace(std::move(buffer), destination(next(comm)), source(from), tag(2));
  };
  std::vector<int> values = vector(comm.rank(), 4);
  round(send_recv_buf(values));
  check::equal(values, vector(from, 4));
  check::equal(round(send_recv_buf(vector(comm.rank(), 3))), vector(from, 3));
  check::equal(round(send_recv_buf(particle_of(comm.rank()))), particle_of(from));
  matrix all(comm.rank());
  round(send_recv_buf(all.rectangle()));
  std::vector<double> rectangle;
  for (int i = 0; i < 6; ++i) rectangle.push_back(all.rectangle()(i / 3, i % 3));
  check::equal(rectangle, rectangle_of(from));
  // Encoded values are longer or shorter than what they replace.
  dictionary words = dictionary_of(comm.rank());
  round(send_recv_buf(as_serialized(words)));
  check::equal(words, dictionary_of(from));
  check::expect(same(round(send_recv_buf(deep(forest_of(comm.rank())))), forest_of(from)));
}

TEST(sendrecv_replace_by_a_shorter_message_shrinks_what_was_moved_in) {
  const communicator comm;
  const int left = comm.rank() > 0 ? comm.rank() - 1 : mpi::proc_null;
  const int right = comm.rank() + 1 < comm.size() ? comm.rank() + 1 : mpi::proc_null;
  const auto values = comm.sendrecv_replace(send_recv_buf(vector(comm.rank(), 5 + comm.rank())),
                                            destination(right), source(left));
  check::equal(values, left == mpi::proc_null ? std::vector<int>() : vector(left, 5 + left));
}

TEST(exchanges_have_nonblocking_forms_since_mpi_4) {
  const communicator comm;
  std::vector<int> in(4);
  std::vector<int> both = vector(comm.rank(), 3);
  const auto start = [&] {
    return comm.isendrecv(send_buf(vector(comm.rank(), 4)), destination(next(comm)), recv_buf(in),
                          source(previous(comm)), tag(1));
  };
  const auto replace = [&] {
    return comm.isendrecv_replace(send_recv_buf(both), destination(next(comm)),
                                  source(previous(comm)), tag(2));
  };
  if constexpr (mpi::has_isendrecv) {
    auto first = start();
    auto second = replace();
    second.wait();
    first.wait();
    // Where MPI leaves the status empty, what needs it is refused with that reason.
    const bool status_is_empty =
        mpiglot::detail::library_defect("isendrecv-status-empty") != nullptr;
    const auto told = [&](auto exchange, const auto& expected) {
      try {
        auto request = exchange();
        auto result = request.wait();
        check::expect(!status_is_empty);
        check::equal(result, expected);
      } catch (const mpi::unavailable& refused) {
        check::expect(status_is_empty);
        check::expect(std::string_view(refused.what())
                              .find("The status of a completed request says nothing") !=
                          std::string_view::npos,
                      refused.what());
      }
    };
    const std::vector<int> mine = vector(comm.rank(), 2 + comm.rank());
    std::vector<int> room(9);
    const int from = previous(comm);
    const int to = next(comm);
    told(
        [&] {
          return comm.isendrecv(send_buf(as_serialized(dictionary_of(comm.rank()))),
                                destination(to), source(from), tag(3),
                                recv_buf(at_most(4000, as_deserializable<dictionary>())));
        },
        dictionary_of(from));
    told(
        [&] {
          return comm.isendrecv<int>(send_buf(mine), destination(to), source(from), recv_count(9));
        },
        vector(from, 2 + from));
    told(
        [&] {
          return comm.isendrecv(send_buf(mine), destination(to), recv_buf(std::vector<int>(9)),
                                source(from), recv_count(9));
        },
        vector(from, 2 + from));
    told(
        [&] {
          return comm.isendrecv(send_buf(mine), destination(to), recv_buf(room), source(from),
                                tag(4), recv_count_out());
        },
        count_t{2 + from});
    if (!status_is_empty)
      check::equal(vector(from, 2 + from), std::vector<int>(room.begin(), room.begin() + 2 + from));
    told(
        [&] {
          return comm.isendrecv_replace(send_recv_buf(vector(comm.rank(), 6)), destination(to),
                                        source(from));
        },
        vector(from, 6));
    check::equal(in, vector(previous(comm), 4));
    check::equal(both, vector(previous(comm), 3));
  } else {
    check::thrown_by<mpi::unavailable>([&] { auto request = start(); });
    check::thrown_by<mpi::unavailable>([&] { auto request = replace(); });
  }
}

TEST(partitions_arrive_when_they_are_ready) {
  const communicator comm;
  std::vector<int> out(12);
  std::vector<int> in(12);
  if constexpr (mpi::has_psend_init) {
    auto sending = comm.psend_init(send_buf(out), partitions(4), destination(next(comm)), tag(3));
    auto receiving = comm.precv_init(recv_buf(in), partitions(4), source(previous(comm)), tag(3));
    for (int round = 0; round < 3; ++round) {
      std::ranges::copy(vector(10 * comm.rank() + round, 12), out.begin());
      receiving.start();
      sending.start();
      sending.pready(2);
      sending.pready_range(0, 1);
      const int last[] = {3};
      sending.pready_list(last);
      for (int i = 0; i < 4; ++i)
        while (!receiving.parrived(i)) {
        }
      receiving.wait();
      sending.wait();
      check::equal(in, vector(10 * previous(comm) + round, 12));
    }
    check::thrown_by<count_error>([&] {
      auto uneven = comm.psend_init(send_buf(out), partitions(5), destination(comm.rank()), tag(4));
    });
  } else {
    check::thrown_by<mpi::unavailable>(
        [&] { auto r = comm.psend_init(send_buf(out), partitions(4), destination(0), tag(3)); });
    check::thrown_by<mpi::unavailable>(
        [&] { auto r = comm.precv_init(recv_buf(in), partitions(4), source(0), tag(3)); });
  }
}

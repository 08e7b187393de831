// bcast of unknown length: what arrives at every size around the limits, and that all ranks always
// agree on the size of the next slot.

#include "../cpp/check.hpp"

#include <mpiglot/communicator.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/strided.hpp>

#include <numeric>

using namespace mpiglot;
namespace merged = mpiglot::detail::merged;

namespace {

struct broken {};

// So many bytes on the wire; may fail on the way there or back.
struct sized_codec {
  template <class T>
  static constexpr bool can = true;
  static inline bool fails_to_encode = false;
  static inline bool fails_to_decode = false;

  static void encode(detail::bytes& to, const std::vector<char>& value) {
    to.append(reinterpret_cast<const std::byte*>(value.data()), value.size());
    if (fails_to_encode) throw broken();
  }
  static void decode(const std::byte* from, std::size_t size, std::vector<char>& value) {
    if (fails_to_decode) throw broken();
    value.assign(size, '\0');
    if (size != 0) std::memcpy(value.data(), from, size);
  }
};

// Every length where one byte more needs another kind of header, slot or message; fewer around them
// where more than two ranks share the processors, and each call takes long.
std::vector<std::size_t> border_sizes() {
  const std::size_t around = check::size() > 2 ? 1 : 3;
  std::vector<std::size_t> sizes;
  for (const std::size_t border : {0u, 7u, 28u, 60u, 251u, 252u, 256u, 504u, 508u, 512u, 1008u,
                                   1012u, 1024u, 4096u, 65536u, 100000u})
    for (std::size_t size = border < around ? 0 : border - around; size <= border + around; ++size)
      sizes.push_back(size);
  return sizes;
}

std::vector<char> content(std::size_t size, int seed) {
  std::vector<char> made(size);
  for (std::size_t i = 0; i < size; ++i)
    made[i] = static_cast<char>(i * 7 + i / 251 + static_cast<std::size_t>(seed));
  return made;
}

void expect_agreement(const communicator& comm) {
  const int next = static_cast<int>(comm.learned().bcast.next());
  const auto least = comm.allreduce(send_buf({next, -next}), op(mpi::min));
  check::equal(least[0], -least[1]);
}

// Sends every size thrice, so that it is known at the third time, from different roots.
template <class Bcast>
void at_every_size(Bcast bcast) {
  const communicator comm = communicator().dup();
  int call = 0;
  for (const std::size_t size : border_sizes())
    for (int again = 0; again < 3; ++again, ++call) {
      const int from = call / 3 % comm.size();
      bcast(comm, size, from, call);
      if (call % 16 == 0) expect_agreement(comm);
    }
  expect_agreement(comm);
}

}  // namespace

TEST(coded_bytes_arrive_at_every_size) {
  at_every_size([](const communicator& comm, std::size_t size, int from, int seed) {
    std::vector<char> value = comm.rank() == from ? content(size, seed) : std::vector<char>(3);
    comm.bcast(send_recv_buf(as_serialized<sized_codec>(value)), root(from));
    check::equal(value, content(size, seed));
  });
}

TEST(vectors_arrive_at_every_size) {
  at_every_size([](const communicator& comm, std::size_t size, int from, int seed) {
    std::vector<char> value = comm.rank() == from ? content(size, seed) : std::vector<char>(3);
    comm.bcast(send_recv_buf<resize_to_fit>(value), root(from));
    check::equal(value, content(size, seed));
  });
}

// The kinds may alternate: they share what is learned.
TEST(kinds_of_buffers_alternate) {
  at_every_size([](const communicator& comm, std::size_t size, int from, int seed) {
    std::vector<char> value = comm.rank() == from ? content(size, seed) : std::vector<char>();
    if (seed % 2 == 0)
      comm.bcast(send_recv_buf<resize_to_fit>(value), root(from));
    else
      comm.bcast(send_recv_buf(as_serialized<sized_codec>(value)), root(from));
    check::equal(value, content(size, seed));
  });
}

// Every second double of a matrix; what the root packs, others receive as a vector, and the reverse.
TEST(payloads_of_derived_datatypes_arrive_at_every_size) {
  const communicator comm = communicator().dup();
  for (const std::size_t n :
       {1u, 3u, 30u, 31u, 32u, 33u, 60u, 62u, 63u, 64u, 65u, 120u, 126u, 127u, 200u})
    for (int again = 0; again < (check::size() > 2 ? 2 : 3); ++again)
      for (int from = 0; from < comm.size(); ++from) {
        std::vector<double> all(2 * n, -1.0);
        mpi::unique_datatype every_second(
            mpi::type_vector(static_cast<int>(n), 1, 2, mpi::double_));
        mpi::type_commit(every_second);
        if (comm.rank() == from)
          for (std::size_t i = 0; i < n; ++i) all[2 * i] = static_cast<double>(i) + from;
        auto& known = comm.learned();
        const lent memory{all.data(), 1, every_second.get()};
        const auto told = merged::bcast(
            known, comm.handle(), comm.rank() == from, from,
            merged::payload::of<double>(memory, comm.rank() == from ? static_cast<count_t>(n) : 0));
        check::equal(told.code, MPI_SUCCESS);
        check::equal(told.length, static_cast<count_t>(n));
        if (told.complete() && comm.rank() != from) {
          check::expect(merged::unpack<double>(known.slots.data() + detail::slot_header, memory,
                                               told.length, comm.handle())
                            .ok());
        } else if (told.begun() != 0) {
          check::equal(merged::end_bcast<double>(told, known, comm.handle(), comm.rank() == from,
                                                 from, memory),
                       MPI_SUCCESS);
        } else if (!told.complete()) {
          mpi::bcast(memory.address, 1, memory.type, from, comm.handle());
        }
        for (std::size_t i = 0; i < n; ++i) check::equal(all[2 * i], static_cast<double>(i) + from);
        for (std::size_t i = 0; i < n; ++i) check::equal(all[2 * i + 1], -1.0);
        if (from == 0) expect_agreement(comm);
      }
}

TEST(lengths_that_fit_no_small_header_are_told_all_the_same) {
  const mpi::unique_comm comm(mpi::comm_dup(mpi::comm_world));
  const count_t huge = count_t{1} << 40;
  for (int round = 0; round < 2; ++round) {
    const auto told = merged::bcast(
        detail::learned_of(comm.get()), comm.get(), check::rank() == 0, 0,
        merged::payload::of<int>({nullptr, huge, mpi::int_}, check::rank() == 0 ? huge : 0));
    check::equal(told.length, huge);
    check::expect(!told.complete());
  }
  std::byte room[merged::length_room];
  for (const count_t length : {count_t{0}, count_t{251}, count_t{252}, count_t{1012}, huge, poison})
    for (const bool alone : {false, true}) {
      const merged::following follow{length == huge, length == 252};
      if (!alone && length > 65535) continue;
      if (alone && length < 0) continue;
      const std::byte* const begin =
          merged::write_length(room + merged::length_room, length, alone, merged::mark_of(follow));
      const merged::told_length told = merged::read_length(begin);
      check::equal(told.length, length);
      check::expect(told.follow.runs == follow.runs && told.follow.pieces == follow.pieces);
      check::expect(begin + told.size == room + merged::length_room);
    }
}

TEST(an_encoder_that_throws_throws_everywhere_and_the_next_bcast_works) {
  const communicator comm = communicator().dup();
  for (const std::size_t size : {8u, 300u, 70000u})
    for (int from = 0; from < comm.size(); ++from) {
      std::vector<char> value(size, 'x');
      const auto bcast = [&] {
        comm.bcast(send_recv_buf(as_serialized<sized_codec>(value)), root(from));
      };
      sized_codec::fails_to_encode = comm.rank() == from;
      if (comm.rank() == from)
        check::thrown_by<broken>(bcast);
      else
        check::equal(check::thrown_by<remote_failure>(bcast).failed_rank(), from);
      sized_codec::fails_to_encode = false;
      sized_codec::fails_to_decode = comm.rank() != from && comm.rank() % 2 == 1;
      if (sized_codec::fails_to_decode)
        check::thrown_by<broken>(bcast);
      else
        bcast();
      sized_codec::fails_to_decode = false;
      bcast();
      check::equal(value, std::vector<char>(size, 'x'));
      expect_agreement(comm);
    }
}

// A message of a megabyte is not kept for ever.
TEST(memory_of_large_messages_is_given_back) {
  const communicator comm = communicator().dup();
  std::vector<char> value(1u << 20, 'x');
  comm.bcast(send_recv_buf(as_serialized(value)));
  check::expect(comm.learned().slots.room() <= detail::merge_limits::together);
  value.resize(100);
  comm.bcast(send_recv_buf(as_serialized(value)));
  check::equal(value, std::vector<char>(100, 'x'));
}

TEST(a_container_without_room_takes_the_payload_and_throws) {
  const communicator comm = communicator().dup();
  struct full : std::vector<char> {
    void resize(std::size_t) { throw broken(); }
  };
  for (const std::size_t size : {8u, 100u, 300u, 5000u})
    for (int again = 0; again < 2; ++again) {
      full none;
      std::vector<char> sent(size, 'y');
      if (comm.rank() == 0)
        comm.bcast(send_recv_buf<resize_to_fit>(sent));
      else
        check::thrown_by<broken>([&] { comm.bcast(send_recv_buf<resize_to_fit>(none)); });
    }
}

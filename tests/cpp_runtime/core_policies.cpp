// Errors as values and hooks, for requests, too.
#include <map>
#include <mpiglot/at_most.hpp>
#include <mpiglot/file.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/request_pool.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/window.hpp>
#include <string>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {
template <class Base>
struct remembering : Base {
  using Base::Base;
  void on_error(const error& failed) const { last = failed.operation(); }
  mutable std::string last;
};
int shown = 0;
template <class Base>
struct counting_errors : Base {
  using Base::Base;
  static void on_error(const error&) { ++shown; }
};
using quiet = basic_communicator<with_outcomes>;
using words = std::map<std::string, int>;
// What arrives there is none, which the receiver finds out. (Not by truncation, which Open MPI hides.)
const std::vector<std::byte> no_words(3, std::byte{9});
auto words_from(const auto& comm, int of) {
  return comm.irecv(recv_buf(at_most(99, as_deserializable<words>())), source(comm.rank()),
                    tag(of));
}
using watched = basic_communicator<remembering>;
using quiet_and_watched = basic_communicator<with_outcomes, counting_errors>;
}  // namespace

TEST(requests_give_errors_as_values) {
  const quiet comm;
  const std::vector<int> three(3, comm.rank());
  // What goes wrong at the start is told at the end.
  auto nowhere = comm.isend(send_buf(three), destination(comm.size()));
  check::expect(!nowhere.pending());
  const outcome<void> refused = nowhere.wait();
  check::expect(!refused && refused.error().error_class() == mpi::error_class::rank);
  check::equal(std::string(refused.error().operation()), std::string("isend"));
  check::expect(!nowhere.wait());  // once too often

  auto bad = words_from(comm, 0);
  auto sent = comm.isend(send_buf(no_words), destination(comm.rank()));
  const outcome<words> none = bad.wait();
  check::expect(!none && none.error().error_class() == mpi::error_class::conversion);
  check::expect(static_cast<bool>(sent.wait()));

  auto fits = comm.irecv(recv_buf(std::vector<int>()), recv_count(3), source(comm.rank()));
  check::expect(!fits.test());
  comm.isend(send_buf(three), destination(comm.rank())).wait().value();
  std::optional<outcome<std::vector<int>>> got = fits.test();
  while (!got) got = fits.test();
  check::expect(static_cast<bool>(*got));
  check::equal(got->value(), three);

  request_pool pool;
  auto pooled = pool.add(words_from(comm, 4));
  pool.add(comm.isend(send_buf(no_words), destination(comm.rank()), tag(4)));
  pool.wait_all();
  check::expect(!pooled.wait());
}

TEST(persistent_requests_give_errors_as_values) {
  const quiet comm;
  std::vector<int> one(1);
  auto nowhere = comm.send_init(send_buf(one), destination(comm.size()));
  const outcome<void> refused = nowhere.start();
  check::expect(!refused && refused.error().error_class() == mpi::error_class::rank);
  check::expect(static_cast<bool>(nowhere.wait()));  // nothing was started

  std::vector<int> room(1);
  auto receiving = comm.recv_init(recv_buf(room), source(comm.rank()));
  auto sending = comm.send_init(send_buf(one), destination(comm.rank()));
  for (int round = 0; round < 3; ++round) {
    one[0] = round;
    check::expect(receiving.start() && sending.start());
    const outcome<void> again = sending.start();
    check::expect(!again && again.error().error_class() == mpi::error_class::request);
    check::expect(static_cast<bool>(sending.wait()));
    std::optional<outcome<void>> done = receiving.test();
    while (!done) done = receiving.test();
    check::expect(static_cast<bool>(*done));
    check::equal(room[0], round);
  }
}

TEST(requests_on_a_null_communicator_give_the_error_as_a_value) {
  const quiet world;
  const quiet null = world.split(mpi::undefined);
  std::vector<int> v(1);
  auto sent = null.isend(send_buf(v), destination(0));
  const outcome<void> refused = sent.wait();
  check::expect(!refused && refused.error().error_class() == mpi::error_class::comm);
  check::expect(std::string(refused.error().operation()) == "isend");
  check::expect(!null.igather(send_buf(v)).wait());
  check::expect(!null.iscatter(send_buf(v), recv_count(1)).wait());
  auto again = null.bcast_init(send_recv_buf(v));
  check::expect(!again.start() && !again.start());
}

TEST(hooks_see_the_errors_of_requests) {
  const watched comm;
  const std::vector<int> three(3);
  check::thrown_by<error>([&] { auto r = comm.isend(send_buf(three), destination(comm.size())); });
  check::equal(comm.last, std::string("isend"));
  comm.last.clear();
  auto bad = words_from(comm, 0);
  auto sent = comm.isend(send_buf(no_words), destination(comm.rank()));
  const error seen = check::thrown_by<decode_error>([&] { bad.wait(); });
  check::equal(comm.last, std::string("irecv"));
  check::expect(std::string(seen.what()).find("irecv from rank ") == 0);
  sent.wait();

  // A static hook needs no object; both policies go together.
  shown = 0;
  const auto start = [&] {
    const quiet_and_watched gone;
    return words_from(gone, 3);
  };
  auto late = start();
  comm.isend(send_buf(no_words), destination(comm.rank()), tag(3)).wait();
  check::expect(!late.wait() && shown == 1);
  check::expect(!quiet_and_watched().send(send_buf(three), destination(-77)) && shown == 2);
}

TEST(windows_have_policies_and_hooks) {
  const communicator comm;
  using quiet_window = basic_window<with_outcomes, counting_errors>;
  const quiet_window win = quiet_window::allocate<int>(comm, 4);
  for (int& each : win.memory<int>()) each = comm.rank();
  mpi::barrier(comm);
  const int one = 1;
  int back = -1;
  shown = 0;
  {
    const lock_all_epoch epoch = win.lock_all();
    const outcome<void> outside = win.put(send_buf(one), target_rank(comm.size()));
    check::expect(!outside && outside.error().error_class() == mpi::error_class::rank);
    check::equal(std::string(outside.error().operation()), std::string("put"));
    check::expect(std::string(outside.error().what()).find("put on rank ") == 0);
    check::expect(shown == 1);
    check::expect(static_cast<bool>(win.get(recv_buf(back), target_rank(comm.rank()))));
    epoch.flush();
    check::equal(back, comm.rank());
    outcome<std::vector<int>> got =
        win.rget(recv_buf(std::vector<int>()), target_count(2), target_rank(comm.rank())).wait();
    check::expect(got && got.value() == std::vector<int>(2, comm.rank()));
    auto late = win.rget(recv_buf(std::vector<int>()), target_count(2), target_rank(-5));
    check::expect(!late.wait() && shown == 2);
  }
  const basic_window<remembering> watched = basic_window<remembering>::allocate<int>(comm, 1);
  const lock_all_epoch epoch = watched.lock_all();
  const error seen =
      check::thrown_by<error>([&] { watched.put(send_buf(one), target_rank(comm.size())); });
  check::equal(watched.last, std::string("put"));
  check::equal(seen.rank(), comm.rank());
}

TEST(files_have_policies_and_hooks) {
  const communicator comm;
  using quiet_file = basic_file<counting_errors, with_outcomes>;
  const quiet_file in(comm, "/dev/null", mpi::access_mode::rdonly);
  shown = 0;
  const std::vector<int> three(3);
  const outcome<void> refused = in.write(send_buf(three), at(0));
  check::expect(!refused && shown == 1);
  check::expect(std::string(refused.error().what()).find("write on rank ") == 0);
  const outcome<std::vector<int>> none =
      in.read(recv_buf(std::vector<int>()), recv_count(3), at(0));
  check::expect(static_cast<bool>(none));
  check::expect(!in.iwrite(send_buf(three), at(0)).wait() && shown == 2);
  auto begun = in.write_split(send_buf(three), at(0));
  check::expect(!begun.wait());
}

TEST(disagreements_are_told_to_all_ranks) {
  const basic_communicator<checked_together> comm;
  if (comm.size() == 1) return;
  const bool odd = comm.rank() == comm.size() - 1;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::vector<int> some(odd ? 2 : 1), each((odd ? 2 : 1) * ranks), counts(ranks, 1);
  const auto refused = [](auto call) { check::thrown_by<disagreement>(call); };
  refused([&] { static_cast<void>(comm.allreduce(send_buf(some), op(mpi::sum))); });
  refused([&] { static_cast<void>(comm.reduce(send_buf(some), op(mpi::sum))); });
  refused([&] { static_cast<void>(comm.scan(send_buf(some), op(mpi::sum))); });
  refused([&] { static_cast<void>(comm.reduce_scatter_block(send_buf(each), op(mpi::sum))); });
  refused([&] { static_cast<void>(comm.allgather(send_buf(some))); });
  refused([&] { static_cast<void>(comm.gather(send_buf(some))); });
  refused([&] { static_cast<void>(comm.gatherv(send_buf(some), root(odd ? 1 : 0))); });
  refused([&] { static_cast<void>(comm.scatter(send_buf(each), root(odd ? 1 : 0))); });
  refused([&] { static_cast<void>(comm.alltoall(send_buf(each))); });
  const std::vector<int> expected(ranks, odd ? 2 : 1);
  refused([&] {
    static_cast<void>(comm.alltoallv(send_buf(counts), send_counts(counts), recv_counts(expected)));
  });
  std::vector<int> v(odd ? 2 : 1);
  refused([&] { comm.bcast(send_recv_buf(v)); });
  // A buffer that is moved in takes the length that it is told.
  std::vector<int> own(ranks, 4);
  if (odd)
    check::equal(comm.bcast(send_recv_buf(std::vector<int>())), own);
  else
    comm.bcast(send_recv_buf(own));
  // Another operation on one rank, which MPI itself may wait for, or take for the same.
  const auto differ = [&](auto one, auto other) { odd ? refused(one) : refused(other); };
  std::vector<int> equal(ranks);
  const auto bcast = [&] { comm.bcast(send_recv_buf(equal)); };
  differ([&] { comm.barrier(); }, bcast);
  differ([&] { static_cast<void>(comm.reduce(send_buf(equal), op(mpi::sum))); }, bcast);
  differ([&] { static_cast<void>(comm.alltoallv(send_buf(equal), send_counts(counts))); },
         [&] { static_cast<void>(comm.allgatherv(send_buf(equal))); });
  // A root that is no rank: of one of them, or of all.
  refused([&] { comm.bcast(send_recv_buf(equal), root(odd ? 99 : 0)); });
  refused([&] { static_cast<void>(comm.gather(send_buf(equal), root(odd ? -3 : 0))); });
  refused([&] { static_cast<void>(comm.scatter(send_buf(equal), root(odd ? 99 : 0))); });
  refused(
      [&] { static_cast<void>(comm.reduce(send_buf(equal), op(mpi::sum), root(odd ? 99 : 0))); });
  check::thrown_by<mpi::error>([&] { comm.bcast(send_recv_buf(equal), root(99)); });
  // And what agrees goes on.
  check::equal(comm.alltoall(send_buf(counts)), counts);
  check::equal(comm.alltoallv(send_buf(counts), send_counts(counts), recv_counts(counts)), counts);
}

// One-sided communication: every kind of window, every access, every epoch.

#include <cstdlib>
#include <cstring>
#include <functional>
#include <mpiglot/objects.hpp>
#include <mpiglot/strided.hpp>
#include <mpiglot/window.hpp>
#include <numeric>
#include <span>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

int next_of(const communicator& comm) { return (comm.rank() + 1) % comm.size(); }
int before(const communicator& comm) { return (comm.rank() + comm.size() - 1) % comm.size(); }

// What an MPI cannot do on one process (provision/matrix.json).
bool fails_alone(const communicator& comm, const char* defect) {
  const char* defects = std::getenv("MPIGLOT_DEFECTS");
  return comm.size() == 1 && defects != nullptr && std::strstr(defects, defect) != nullptr;
}
constexpr const char* no_windows = "no-window-on-one-process";
constexpr const char* no_atomics = "atomics-abort-on-one-process";

// A window of `n` ints on each rank, all 0.
window zeros(const communicator& comm, int n) {
  window made = window::allocate<int>(comm, n);
  for (int& each : made.memory<int>()) each = 0;
  mpi::barrier(comm);
  return made;
}

}  // namespace

TEST(fences_complete_puts_and_gets) {
  const communicator comm;
  const window win = window::allocate<int>(comm, 6);
  const std::span<int> mine = win.memory<int>();
  check::equal(mine.size(), std::size_t{6});
  check::expect(win.flavor() == mpi::window_flavor::allocate);
  std::iota(mine.begin(), mine.end(), 10 * comm.rank());

  std::vector<int> got(3);
  std::vector<int> grown;
  int one = 0;
  fence_epoch epoch = win.fence();
  win.get(recv_buf(got), target_rank(next_of(comm)), target_displacement(2));
  win.get(recv_buf<resize_to_fit>(grown), target_rank(next_of(comm)), target_count(2));
  win.get(recv_buf(one), target_rank(comm.rank()));
  epoch.next();
  const int first = 10 * next_of(comm);
  check::equal(got, std::vector<int>{first + 2, first + 3, first + 4});
  check::equal(grown, std::vector<int>{first, first + 1});
  check::equal(one, 10 * comm.rank());

  const std::vector<int> sent{-1, -2};
  win.put(send_buf(sent), target_rank(next_of(comm)), target_displacement(1));
  epoch.promise(mpi::assertion::nosucceed);
  epoch.end();
  check::expect(!epoch.open());
  check::equal(mine[1] + mine[2], -3);
  check::equal(mine[3], 10 * comm.rank() + 3);
}

TEST(strided_views_are_put_and_got) {
  const communicator comm;
  if (fails_alone(comm, no_windows)) return;
  std::vector<int> matrix(12);
  window win = window::create(comm, matrix);
  check::expect(win.flavor() == mpi::window_flavor::create);
  check::expect(win.memory<int>().data() == matrix.data());
  const std::vector<int> column{1, 2, 3};
  std::vector<int> other(12);
  strided_view<int> second{other.data() + 1, 3, 1, 4};
  {
    const fence_epoch epoch = win.fence();
    const datatype every_fourth = datatype::committed(mpi::type_vector(3, 1, 4, mpi::int_));
    win.put(send_buf(column), target_rank(next_of(comm)), target_displacement(2), target_count(1),
            target_type(every_fourth));
  }
  check::equal(matrix, std::vector<int>{0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0});
  {
    const fence_epoch epoch = win.fence();
    win.get(recv_buf(second), target_rank(comm.rank()), target_displacement(2), target_count(3));
  }
  check::equal(other, std::vector<int>{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  win.free();
  check::expect(!win);
}

TEST(windows_of_any_memory_are_reached_or_refused_on_all_ranks) {
  const communicator comm;
  if (fails_alone(comm, no_windows)) return;
  alignas(64) int raw[8] = {};
  const std::span<int> mine(raw + (comm.rank() == 0 ? 1 : 0), 4);
  if (check::known_defect("window-not-at-16-bytes")) {
    static_cast<void>(
        check::thrown_by<error>([&] { static_cast<void>(window::create(comm, mine)); }));
    return;
  }
  window win = window::create(comm, mine);
  {
    const fence_epoch epoch = win.fence();
    const int sent = 7;
    win.put(send_buf(sent), target_rank(next_of(comm)), target_displacement(1));
  }
  check::equal(mine[1], 7);
  check::equal(std::accumulate(std::begin(raw), std::end(raw), 0), 7);
  win.free();
}

TEST(accumulates_combine) {
  const communicator comm;
  if (fails_alone(comm, no_atomics)) return;
  const window win = zeros(comm, 4);
  const std::vector<int> values{1, 2, comm.rank()};
  const std::vector<int> set{7};
  {
    const fence_epoch epoch = win.fence();
    win.accumulate(send_buf(values), target_rank(0));
    if (comm.rank() == 0)
      win.accumulate(send_buf(set), target_rank(0), target_displacement(3), op(mpi::replace));
  }
  {
    const fence_epoch epoch = win.fence();
    win.accumulate(send_buf(values), target_rank(0), op(std::plus<>()));
  }
  if (comm.rank() == 0) {
    const std::span<int> all = win.memory<int>();
    const int n = comm.size();
    check::equal(std::vector<int>(all.begin(), all.end()),
                 std::vector<int>{2 * n, 4 * n, n * (n - 1), 7});
  }
}

TEST(atomic_accesses_count_and_elect) {
  const communicator comm;
  if (fails_alone(comm, no_atomics)) return;
  const window win = zeros(comm, 3);
  int ticket = -1, seen = -1, old = -1;
  const int one = 1, mine = comm.rank() + 1, nobody = 0;
  std::vector<int> both(2, -1);
  const std::vector<int> ones{1, 1};
  {
    const lock_all_epoch epoch = win.lock_all();
    win.fetch_and_op(send_buf(one), recv_buf(ticket), target_rank(0));
    win.compare_and_swap(send_buf(mine), compare_buf(nobody), recv_buf(old), target_rank(0),
                         target_displacement(1));
    epoch.flush(0);
    win.fetch_and_op(recv_buf(seen), target_rank(0), target_displacement(1));  // reads
    win.get_accumulate(send_buf(ones), recv_buf(both), target_rank(comm.rank()), op(mpi::no_op));
    epoch.flush();
    check::expect(ticket >= 0 && ticket < comm.size());
    check::expect(old == 0 ? seen == mine : seen == old);
  }
  int tickets = 0, elected = old == 0 ? 1 : 0, sum = 0;
  mpi::allreduce(&ticket, &tickets, 1, mpi::int_, mpi::sum, comm);
  check::equal(tickets, comm.size() * (comm.size() - 1) / 2);
  mpi::allreduce(&elected, &sum, 1, mpi::int_, mpi::sum, comm);
  check::equal(sum, 1);
  // Nothing was changed by no_op, neither on rank 0, where others changed something meanwhile.
  if (comm.rank() != 0) check::equal(both, std::vector<int>{0, 0});
}

TEST(locks_give_access_to_ranks_that_do_nothing) {
  const communicator comm;
  const window win = zeros(comm, 2);
  const int mine = comm.rank() + 1;
  {
    const lock_epoch epoch = win.lock_exclusive(next_of(comm));
    win.put(send_buf(mine), target_rank(epoch.rank()), target_displacement(1));
    epoch.flush_local();
    int back = 0;
    epoch.flush();
    win.get(recv_buf(back), target_rank(epoch.rank()), target_displacement(1));
    epoch.flush();
    check::equal(back, mine);
  }
  mpi::barrier(comm);
  {
    const lock_epoch epoch = win.lock(comm.rank());
    win.sync();
    check::equal(win.memory<int>()[1], before(comm) + 1);
  }
}

TEST(groups_start_and_post) {
  const communicator comm;
  const window win = zeros(comm, 1);
  const int mine = comm.rank() + 1;
  const group all = comm.group();
  const group origins = all.include({before(comm)});
  const group targets = all.include({next_of(comm)});
  {
    exposure_epoch exposed = win.post(origins);
    access_epoch access = win.start(targets);
    win.put(send_buf(mine), target_rank(next_of(comm)));
    access.end();
    exposed.end();
  }
  check::equal(win.memory<int>()[0], before(comm) + 1);

  exposure_epoch exposed = win.post(origins);
  win.start(targets).end();
  while (!exposed.test()) {
  }
  check::expect(exposed.test());
}

TEST(requests_own_their_buffers) {
  const communicator comm;
  if (fails_alone(comm, no_atomics)) return;
  const window win = zeros(comm, 4);
  {
    const lock_all_epoch epoch = win.lock_all();
    auto put = win.rput(send_buf(std::vector<int>{1, 2, 3}), target_rank(next_of(comm)));
    put.wait();
    epoch.flush();
    mpi::barrier(comm);
    auto got = win.rget(recv_buf(std::vector<int>(2)), target_rank(comm.rank()),
                        target_displacement(1), target_count(2));
    check::equal(got.wait(), std::vector<int>{2, 3});
    auto sized = win.rget(recv_buf(std::vector<int>()), target_rank(comm.rank()), target_count(4));
    check::equal(sized.wait(), std::vector<int>{1, 2, 3, 0});
    mpi::barrier(comm);
    win.raccumulate(send_buf(10), target_rank(next_of(comm)), target_displacement(3)).wait();
    epoch.flush();
    mpi::barrier(comm);
    auto old = win.rget_accumulate(send_buf(5), recv_buf(std::vector<int>()), target_count(1),
                                   target_rank(comm.rank()), target_displacement(3));
    check::equal(old.wait(), std::vector<int>{10});
  }
  mpi::barrier(comm);
  const lock_epoch epoch = win.lock(comm.rank());
  check::equal(win.memory<int>()[3], 15);
}

TEST(shared_windows_are_spans) {
  const communicator comm;
  const communicator machine = comm.split_shared();
  const window win = window::allocate_shared<double>(machine, machine.rank() + 1);
  const lock_all_epoch epoch = win.lock_all();
  for (double& each : win.memory<double>()) each = machine.rank() + 0.5;
  win.sync();
  mpi::barrier(machine);
  win.sync();
  for (int rank = 0; rank < machine.size(); ++rank) {
    const std::span<double> theirs = win.shared_memory<double>(rank);
    check::equal(theirs.size(), static_cast<std::size_t>(rank + 1));
    for (double each : theirs) check::equal(each, rank + 0.5);
  }
}

TEST(dynamic_windows_attach_memory) {
  const communicator comm;
  if (fails_alone(comm, no_windows)) return;
  std::vector<int> memory(4, comm.rank());
  const window win = window::dynamic(comm);
  {
    const attachment part = win.attach(memory);
    mpi::aint_t mine = part.address();
    std::vector<mpi::aint_t> theirs(static_cast<std::size_t>(comm.size()));
    mpi::allgather(&mine, 1, mpi::aint, theirs.data(), 1, mpi::aint, comm);
    std::vector<int> got(4, -1);
    {
      const lock_epoch epoch = win.lock(next_of(comm));
      win.get(recv_buf(got), target_rank(next_of(comm)),
              target_displacement(theirs[static_cast<std::size_t>(next_of(comm))]));
    }
    check::equal(got, std::vector<int>(4, next_of(comm)));
    mpi::barrier(comm);
  }
}

TEST(windows_throw_and_have_names_and_attributes) {
  const communicator comm;
  window win = window::allocate<char>(comm, 1);
  win.set_name("a window");
  check::equal(win.name(), std::string("a window"));
  check::equal(win.group().size(), comm.size());
  check::thrown_by([&] { const lock_epoch nobody = win.lock(comm.size()); });
  const std::vector<int> too_long(3);
  int room[1] = {};
  std::span<int> none(room, 0);
  check::thrown_by<too_small>([&] { win.fetch_and_op(recv_buf(none), target_rank(0)); });
  check::thrown_by<count_error>([&] { const window no = window::allocate<double>(comm, -1); });
  const window borrowed(win.native());
  check::expect(!borrowed.owns() && borrowed.name() == "a window");
  window moved = std::move(win);
  check::expect(moved.owns() && !win);
}

TEST(windows_without_memory_are_refused) {
  const communicator comm;
  const communicator here = comm.split_shared();
  constexpr count_t too_many = count_t{1} << 55;
  const window before = window::allocate<double>(comm, 4);
  const auto none = [&](const auto& make, count_t count, bool remote = false) {
    bool thrown = false;
    try {
      static_cast<void>(make(count));
    } catch (const std::exception& e) {
      thrown = true;
      if (remote) check::expect(dynamic_cast<const remote_failure*>(&e) != nullptr, e.what());
    }
    check::expect(thrown, "no memory, no error");
    check::equal(comm.allreduce_single(send_buf(1), op(mpi::sum)), comm.size());
  };
  const auto alone = [&](count_t count) { return window::allocate<double>(comm, count); };
  const auto shared = [&](count_t count) { return window::allocate_shared<double>(here, count); };
  none(alone, too_many);
  none(shared, too_many);
  if (detail::library_defect("no-memory-for-window") == nullptr) return;
  for (int rank = 0; rank < comm.size(); ++rank) {
    none(alone, rank == comm.rank() ? too_many : 0, rank != comm.rank());
    none(shared, rank == comm.rank() ? too_many : 0);  // all ranks ask for the sum
  }
}

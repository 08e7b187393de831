// The memory of windows: its alignment, and accesses that reach outside of it.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <mpiglot/info.hpp>
#include <mpiglot/objects.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/strided.hpp>
#include <mpiglot/window.hpp>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

using checked_window = basic_window<checked>;

bool fails_alone(const communicator& comm) {
  return comm.size() == 1 && check::known_defect("no-window-on-one-process");
}
bool atomics_fail_alone(const communicator& comm) {
  return comm.size() == 1 && check::known_defect("atomics-abort-on-one-process");
}

// An element with an alignment, and a value that every byte takes part in.
template <std::size_t Alignment>
struct alignas(Alignment) aligned_to {
  std::int64_t parts[(Alignment + 7) / 8];

  bool operator==(const aligned_to&) const = default;
};

template <class T>
bool is_aligned(const T* at) {
  return reinterpret_cast<std::uintptr_t>(at) % alignof(T) == 0;
}

// Ranks have different lengths; the first of three has none.
int length_of(int rank) { return rank % 3 == 0 && rank > 0 ? 0 : rank % 3 + 2; }
template <class T>
T value_of(int rank, int position, int use) {
  std::int64_t number = 10000 * use + 100 * rank + 10 * position + 1;
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(number);
  } else {
    T value;
    for (std::int64_t& each : value.parts) each = number++;
    return value;
  }
}

// Each rank writes its memory, which all others read. It then writes the last element of the next
// rank, and reads it again.
template <class T, class Window>
void expect_reached(const communicator& comm, const Window& win, int use) {
  const int n = length_of(comm.rank());
  const std::span<T> mine = win.template memory<T>();
  check::equal(mine.size(), static_cast<std::size_t>(n));
  check::expect(n == 0 || is_aligned(mine.data()));
  const int target = (comm.rank() + 1) % comm.size();
  const int writer = (comm.rank() + comm.size() - 1) % comm.size();
  const int length = length_of(target);
  const int last = length > 0 ? length - 1 : 0;
  std::vector<std::vector<T>> got;
  for (int rank = 0; rank < comm.size(); ++rank)
    got.emplace_back(static_cast<std::size_t>(length_of(rank)));
  std::vector<T> tail(length > 0 ? std::size_t{1} : std::size_t{0});
  const std::vector<T> sent(tail.size(), value_of<T>(target, 50 + comm.rank(), use));
  fence_epoch epoch = win.fence();
  for (int i = 0; i < n; ++i) mine[static_cast<std::size_t>(i)] = value_of<T>(comm.rank(), i, use);
  epoch.next();
  for (int rank = 0; rank < comm.size(); ++rank)
    win.get(recv_buf(got[static_cast<std::size_t>(rank)]), target_rank(rank));
  epoch.next();
  win.put(send_buf(sent), target_rank(target), target_displacement(last));
  epoch.next();
  win.get(recv_buf(tail), target_rank(target), target_displacement(last));
  epoch.end();
  for (int rank = 0; rank < comm.size(); ++rank)
    for (std::size_t i = 0; i < got[static_cast<std::size_t>(rank)].size(); ++i)
      check::expect(got[static_cast<std::size_t>(rank)][i] ==
                    value_of<T>(rank, static_cast<int>(i), use));
  check::expect(tail == sent);
  for (int i = 0; i < n; ++i)
    check::expect(mine[static_cast<std::size_t>(i)] ==
                  value_of<T>(comm.rank(), i + 1 < n ? i : 50 + writer, use));
}

template <class T, class Window>
void expect_shared(const communicator& machine, const Window& win, bool contiguous, int use) {
  mpi::barrier(machine);
  {
    const fence_epoch epoch = win.fence();
    for (std::size_t i = 0; T & each : win.template memory<T>())
      each = value_of<T>(machine.rank(), static_cast<int>(i++), use);
  }
  {
    const fence_epoch epoch = win.fence();
    const T* end = nullptr;
    for (int rank = 0; rank < machine.size(); ++rank) {
      const std::span<T> theirs = win.template shared_memory<T>(rank);
      check::equal(theirs.size(), static_cast<std::size_t>(length_of(rank)));
      if (theirs.empty()) continue;
      check::expect(is_aligned(theirs.data()));
      if (contiguous && end != nullptr) check::expect(theirs.data() == end, "it is contiguous");
      end = theirs.data() + theirs.size();
      for (std::size_t i = 0; i < theirs.size(); ++i)
        check::expect(theirs[i] == value_of<T>(rank, static_cast<int>(i), use));
    }
    const std::span<T> first = win.template shared_memory<T>(MPI_PROC_NULL);
    check::expect(is_aligned(first.data()) && first.front() == value_of<T>(0, 0, use));
  }
}

template <class T, class Window = window>
void expect_aligned(const communicator& comm, const communicator& machine) {
  const int n = length_of(comm.rank());
  const int shared = length_of(machine.rank());
  info apart;
  apart.set("alloc_shared_noncontig", "true");
  int use = 1;
  {
    const Window win = Window::template allocate<T>(comm, n);
    expect_reached<T>(comm, win, use++);
  }
  {
    const Window win = Window::template allocate_shared<T>(machine, shared);
    expect_reached<T>(machine, win, use++);
    expect_shared<T>(machine, window(win.native()), true, use++);
  }
  {
    const Window win = Window::template allocate_shared<T>(machine, shared, apart);
    expect_reached<T>(machine, win, use++);
    expect_shared<T>(machine, win, false, use++);
  }
}

}  // namespace

TEST(memory_of_windows_is_aligned_for_its_elements) {
  const communicator comm;
  const communicator machine = comm.split_shared();
  expect_aligned<long double>(comm, machine);
  expect_aligned<aligned_to<32>, checked_window>(comm, machine);
  expect_aligned<aligned_to<64>>(comm, machine);
}

TEST(a_borrowed_handle_reaches_the_memory_of_its_window) {
  const communicator comm;
  const window moved = window::allocate<aligned_to<256>>(comm, length_of(comm.rank()));
  expect_reached<aligned_to<256>>(comm, window(moved.native()), 1);
}

TEST(memory_that_is_not_aligned_for_a_type_is_an_error) {
  const communicator comm;
  const window win = window::allocate<aligned_to<64>>(comm, 2);
  check::equal(win.memory<char>().size(), std::size_t{128});
  if (fails_alone(comm)) return;
  alignas(64) char raw[128 + 16] = {};
  const std::span<char> off(raw + 16, 128);
  const window over = window::create(comm, off);
  check::expect(over.memory<aligned_to<16>>().data() != nullptr);
  check::expect(check::thrown_by<error>([&] {
                  static_cast<void>(over.memory<aligned_to<64>>());
                }).error_class() == mpi::error_class{MPI_ERR_ARG});
}

namespace {

// Windows of ints, of different lengths, in all forms that have a size.
int ints_of(int rank) { return 4 + rank % 3; }

template <class Window, class Action>
void with_each_form(const communicator& comm, Action action) {
  const int n = ints_of(comm.rank());
  action("allocate", Window::template allocate<int>(comm, n));
  action("allocate_shared", Window::template allocate_shared<int>(comm, n));
  if (fails_alone(comm)) return;
  alignas(64) int raw[16] = {};
  const std::span<int> mine(raw, static_cast<std::size_t>(n));
  action("create", Window::create(comm, mine));
  for (std::size_t i = static_cast<std::size_t>(n); i < 16; ++i) check::equal(raw[i], 0);
}

// An access of `n` elements at a displacement. Those that read give what they read.
template <class Window>
struct access_of_ints {
  const char* name;
  bool one;  // element only
  bool atomic;
  void (*run)(const Window&, int target, mpi::aint_t at, int n);
};

std::vector<int> some(int n) { return std::vector<int>(static_cast<std::size_t>(n), 7); }

template <class Window>
std::vector<access_of_ints<Window>> accesses() {
  using mpiglot::target_rank;
  using W = const Window&;
  // MPI uses buffers until the epoch ends.
  static std::vector<int> sent, got;
  static int one = 7, zero = 0, old = 0;
  return {
      {"put", false, false,
       [](W win, int to, mpi::aint_t at, int n) {
         sent = some(n);
         win.put(send_buf(sent), target_rank(to), target_displacement(at));
       }},
      {"put, counted", false, false,
       [](W win, int to, mpi::aint_t at, int n) {
         sent = some(n + 3);
         win.put(send_buf(sent), target_rank(to), target_displacement(at), target_count(n));
       }},
      {"put, by bytes", false, false,
       [](W win, int to, mpi::aint_t at, int n) {
         sent = some(n);
         win.put(send_buf(sent), target_rank(to), target_displacement(at),
                 target_count(n * static_cast<int>(sizeof(int))), target_type(mpi::byte));
       }},
      {"get", false, false,
       [](W win, int to, mpi::aint_t at, int n) {
         got = some(n);
         win.get(recv_buf(got), target_rank(to), target_displacement(at));
       }},
      {"get, counted", false, false,
       [](W win, int to, mpi::aint_t at, int n) {
         got.clear();
         win.get(recv_buf<resize_to_fit>(got), target_rank(to), target_displacement(at),
                 target_count(n));
       }},
      {"accumulate", false, true,
       [](W win, int to, mpi::aint_t at, int n) {
         sent = some(n);
         win.accumulate(send_buf(sent), target_rank(to), target_displacement(at), op(mpi::replace));
       }},
      {"get_accumulate", false, true,
       [](W win, int to, mpi::aint_t at, int n) {
         sent = some(n);
         got = some(n);
         win.get_accumulate(send_buf(sent), recv_buf(got), target_rank(to), target_displacement(at),
                            op(mpi::replace));
       }},
      {"fetch_and_op", true, true,
       [](W win, int to, mpi::aint_t at, int) {
         win.fetch_and_op(send_buf(one), recv_buf(old), target_rank(to), target_displacement(at),
                          op(mpi::replace));
       }},
      {"fetch_and_op, reading", true, true,
       [](W win, int to, mpi::aint_t at, int) {
         win.fetch_and_op(recv_buf(old), target_rank(to), target_displacement(at));
       }},
      {"compare_and_swap", true, true,
       [](W win, int to, mpi::aint_t at, int) {
         win.compare_and_swap(send_buf(one), compare_buf(zero), recv_buf(old), target_rank(to),
                              target_displacement(at));
       }},
      {"rput", false, false,
       [](W win, int to, mpi::aint_t at, int n) {
         win.rput(send_buf(some(n)), target_rank(to), target_displacement(at)).wait();
       }},
      {"rget", false, false,
       [](W win, int to, mpi::aint_t at, int n) {
         win.rget(recv_buf(std::vector<int>()), target_count(n), target_rank(to),
                  target_displacement(at))
             .wait();
       }},
      {"raccumulate", false, true,
       [](W win, int to, mpi::aint_t at, int n) {
         win.raccumulate(send_buf(some(n)), target_rank(to), target_displacement(at),
                         op(mpi::replace))
             .wait();
       }},
      {"rget_accumulate", false, true,
       [](W win, int to, mpi::aint_t at, int n) {
         win.rget_accumulate(send_buf(some(n)), recv_buf(std::vector<int>()), target_count(n),
                             target_rank(to), target_displacement(at), op(mpi::replace))
             .wait();
       }},
  };
}

bool writes(const std::string& access) {
  return access.find("reading") == std::string::npos &&
         (access.find("get") == std::string::npos ||
          access.find("accumulate") != std::string::npos);
}

}  // namespace

TEST(accesses_outside_of_a_window_are_errors_before_they_are_made) {
  const communicator comm;
  with_each_form<checked_window>(comm, [&](const char* form, checked_window win) {
    const std::span<int> mine = win.memory<int>();
    const auto set_to_zero = [&] {
      const lock_epoch epoch = win.lock_exclusive(comm.rank());
      for (int& each : mine) each = 0;
    };
    set_to_zero();
    for (int distance = 0; distance < std::min(comm.size(), 2); ++distance) {
      const int target = (comm.rank() + distance) % comm.size();
      const int length = ints_of(target);
      mpi::barrier(comm);
      const lock_all_epoch epoch = win.lock_all();
      const auto whole = [&] {
        std::vector<int> all(static_cast<std::size_t>(length), -1);
        win.get(recv_buf(all), target_rank(target));
        epoch.flush(target);
        return all;
      };
      const std::vector<int> zeros(static_cast<std::size_t>(length));
      for (const auto& access : accesses<checked_window>()) {
        if (access.atomic && atomics_fail_alone(comm)) continue;
        // Other tests of this program have freed persistent collectives.
        if (access.name[0] == 'r' && check::known_defect("requests-after-persistent-collectives"))
          continue;
        const std::string what = std::string(form) + ", " + access.name;
        const auto refused = [&](mpi::aint_t at, int n) {
          const count_error found =
              check::thrown_by<count_error>([&] { access.run(win, target, at, n); });
          check::expect(std::strstr(found.what(), "outside") != nullptr, what);
          check::equal(found.rank(), comm.rank());
        };
        refused(length, 1);
        refused(-1, 1);
        refused(mpi::aint_t{1} << 40, 1);
        refused(mpi::aint_t{1} << 62, 1);
        refused(-(mpi::aint_t{1} << 62), 1);
        if (!access.one) {
          refused(0, length + 1);
          refused(1, length);
          refused(length - 1, 2);
          refused(-1, 2);
          access.run(win, target, length, 0);
          access.run(win, MPI_PROC_NULL, 1000, 1);
        }
        for (const int rank : {comm.size(), comm.size() + 7}) {
          const error found = check::thrown_by<error>([&] { access.run(win, rank, 0, 1); });
          check::expect(found.error_class() == mpi::error_class{MPI_ERR_RANK}, what);
        }
        const int n = access.one ? 1 : 2;
        access.run(win, target, length - n, n);
        epoch.flush(target);
        std::vector<int> expected = zeros;
        if (writes(access.name)) std::fill(expected.end() - n, expected.end(), 7);
        check::expect(whole() == expected, what);
        if (!writes(access.name)) continue;
        win.put(send_buf(zeros), target_rank(target));
        epoch.flush(target);
      }
    }
    mpi::barrier(comm);
  });
}

TEST(datatypes_that_reach_outside_of_a_window_are_errors) {
  const communicator comm;
  const checked_window win = checked_window::allocate<int>(comm, 10 + comm.rank());
  const int target = (comm.rank() + 1) % comm.size();
  const int length = 10 + target;
  const datatype thirds = datatype::committed(mpi::type_vector(3, 1, 3, mpi::int_));  // 7 ints
  const datatype backwards = datatype::committed(mpi::type_vector(3, 1, -2, mpi::int_));
  const datatype apart = datatype::committed(mpi::type_create_resized(mpi::int_, 0, 16));
  const datatype turned = datatype::committed(mpi::type_create_resized(mpi::int_, 0, -8));
  const datatype empty = datatype::committed(mpi::type_contiguous(0, mpi::int_));
  const std::vector<int> three{1, 2, 3};
  std::vector<int> matrix(12);
  strided_view<int> column{matrix.data() + 1, 3, 1, 4};
  const lock_epoch epoch = win.lock(target);
  const auto put = [&](const datatype& type, int items, int at) {
    win.put(send_buf(three), target_rank(target), target_displacement(at), target_count(items),
            target_type(type));
    epoch.flush();
  };
  const auto refused = [&](const datatype& type, int items, int at) {
    check::thrown_by<count_error>([&] { put(type, items, at); });
  };
  put(thirds, 1, length - 7);
  refused(thirds, 1, length - 6);
  refused(thirds, 1, -1);
  put(backwards, 1, 4);
  put(backwards, 1, length - 1);
  refused(backwards, 1, 3);
  refused(backwards, 1, length);
  put(apart, 3, length - 9);
  refused(apart, 3, length - 8);
  put(turned, 3, 4);
  refused(turned, 3, 3);
  refused(turned, 3, length);
  refused(thirds, -1, 0);
  const std::vector<int> nothing;
  win.put(send_buf(nothing), target_rank(target), target_displacement(length + 5), target_count(4),
          target_type(empty));
  win.put(send_buf(column), target_rank(target), target_displacement(length - 3));
  epoch.flush();
  check::thrown_by<count_error>(
      [&] { win.put(send_buf(column), target_rank(target), target_displacement(length - 2)); });
  check::thrown_by<count_error>(
      [&] { win.get(recv_buf(column), target_rank(target), target_displacement(length - 2)); });
  check::expect(check::thrown_by<error>([&] {
                  win.put(send_buf(three), target_rank(target),
                          target_type(mpi::datatype_handle{MPI_DATATYPE_NULL}));
                }).error_class() == mpi::error_class{MPI_ERR_TYPE});
}

TEST(windows_with_outcomes_return_what_is_outside) {
  const communicator comm;
  using careful = basic_window<checked, with_outcomes>;
  const careful win = careful::allocate<int>(comm, 2);
  const std::vector<int> three{1, 2, 3};
  const lock_epoch epoch = win.lock(comm.rank());
  const auto put = win.put(send_buf(three), target_rank(comm.rank()));
  check::expect(!put && put.error().error_class() == mpi::error_class{MPI_ERR_COUNT});
  auto later = win.rput(send_buf(three), target_rank(comm.rank()));
  const auto ended = later.wait();
  check::expect(!ended && ended.error().error_class() == mpi::error_class{MPI_ERR_COUNT});
}

TEST(addresses_in_dynamic_windows_are_checked_as_far_as_they_are_known) {
  const communicator comm;
  if (fails_alone(comm)) return;
  std::vector<int> memory(4, comm.rank() + 1);
  const checked_window win = checked_window::dynamic(comm);
  const attachment part = win.attach(memory);
  const mpi::aint_t mine = part.address();
  std::vector<mpi::aint_t> all(static_cast<std::size_t>(comm.size()));
  mpi::allgather(&mine, 1, mpi::aint, all.data(), 1, mpi::aint, comm);
  const int target = (comm.rank() + 1) % comm.size();
  std::vector<int> got(4, -1);
  {
    const lock_epoch epoch = win.lock(target);
    for (const mpi::aint_t wrong : {mpi::aint_t{0}, mpi::aint_t{-8}})
      check::thrown_by<count_error>(
          [&] { win.get(recv_buf(got), target_rank(target), target_displacement(wrong)); });
    check::thrown_by<count_error>([&] { win.get(recv_buf(got), target_rank(target)); });
    check::expect(check::thrown_by<error>([&] {
                    win.get(recv_buf(got), target_rank(comm.size()), target_displacement(mine));
                  }).error_class() == mpi::error_class{MPI_ERR_RANK});
    win.get(recv_buf(got), target_rank(target),
            target_displacement(all[static_cast<std::size_t>(target)]));
  }
  check::equal(got, std::vector<int>(4, target + 1));
  mpi::barrier(comm);
}

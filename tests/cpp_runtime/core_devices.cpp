// Views in memory that the host cannot reach: pages without any access, so that whoever touches an
// element outside of `copy` ends the test.

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <numeric>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/device.hpp>
#include <mpiglot/strided.hpp>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

const communicator& world() {
  static const communicator comm;
  return comm;
}
int next() { return (world().rank() + 1) % world().size(); }
int before() { return (world().rank() + world().size() - 1) % world().size(); }

// Memory that only `copy` reaches, and what it does.
class device {
 public:
  device()
      : bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        memory_(mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    check::expect(memory_ != MAP_FAILED, "no memory");
    open([&] {
      for (int i = 0; i < elements; ++i) data()[i] = -1;
    });
  }
  device(const device&) = delete;
  device& operator=(const device&) = delete;
  ~device() { munmap(memory_, bytes_); }

  static constexpr int elements = 64;
  [[nodiscard]] int* data() const { return static_cast<int*>(memory_); }
  [[nodiscard]] std::vector<int> content() const {
    std::vector<int> all;
    open([&] { all.assign(data(), data() + elements); });
    return all;
  }
  void write(const strided_view<int>& view, int from) const {
    open([&] {
      for (count_t i = 0; i < view.rows; ++i)
        for (count_t j = 0; j < view.columns; ++j) view(i, j) = from++;
    });
  }
  [[nodiscard]] auto copy() {
    return [this](void* to, const void* from, std::size_t bytes) {
      ++copies;
      open([&] { std::memcpy(to, from, bytes); });
    };
  }
  int copies = 0;

 private:
  template <class Action>
  void open(Action action) const {
    mprotect(memory_, bytes_, PROT_READ | PROT_WRITE);
    action();
    mprotect(memory_, bytes_, PROT_NONE);
  }

  std::size_t bytes_;
  void* memory_;
};

std::vector<int> numbers(int from, int n) {
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), from);
  return all;
}
// What the memory must be with `n` numbers in a view, and -1 elsewhere.
std::vector<int> wanted(const device& on, const strided_view<int>& view, int from, int n) {
  std::vector<int> all(device::elements, -1);
  const auto first = view.data - on.data();
  for (int e = 0; e < n; ++e)
    all[static_cast<std::size_t>(first + e / view.columns * view.row_stride +
                                 e % view.columns * view.column_stride)] = from + e;
  return all;
}

// Contiguous, rows with gaps, columns, and rows from the last to the first.
std::vector<strided_view<int>> views(const device& on) {
  return {{on.data() + 3, 4, 5, 5, 1},
          {on.data() + 3, 4, 5, 7, 1},
          {on.data() + 1, 4, 5, 1, 6},
          {on.data() + 40, 4, 5, -8, 1}};
}

}  // namespace

TEST(messages_of_staged_views_touch_no_memory_of_a_device) {
  const communicator& comm = world();
  for (std::size_t i = 0; i < 4; ++i) {
    device here;
    device there;
    const strided_view<int> from = views(here)[i];
    const strided_view<int> to = views(there)[(i + 1) % 4];
    here.write(from, 100 * comm.rank());
    auto sending = comm.isend(send_buf(staged(from, here.copy())), destination(next()));
    comm.recv(recv_buf(staged(to, there.copy())), source(before()));
    sending.wait();
    check::equal(there.content(), wanted(there, to, 100 * before(), 20));
    const int runs[] = {1, 4, 20, 4};
    check::equal(here.copies, runs[i]);
    check::equal(there.copies, runs[(i + 1) % 4]);
  }
}

TEST(a_shorter_message_is_copied_to_the_first_elements_of_a_staged_view) {
  const communicator& comm = world();
  device there;
  const strided_view<int> to = views(there)[1];
  auto sending = comm.isend(send_buf(numbers(5, 7)), destination(next()));
  auto request = comm.irecv(recv_buf(staged(to, there.copy())), source(before()));
  request.wait();
  sending.wait();
  check::equal(there.content(), wanted(there, to, 5, 7));
  check::equal(there.copies, 2);
}

TEST(collective_operations_take_staged_views) {
  const communicator& comm = world();
  for (std::size_t i = 0; i < 4; ++i) {
    device memory;
    const strided_view<int> view = views(memory)[i];
    if (comm.rank() == 0) memory.write(view, 7);
    comm.bcast(send_recv_buf(staged(view, memory.copy())), root(0));
    check::equal(memory.content(), wanted(memory, view, 7, 20));

    const std::vector<int> all = comm.allgather(send_buf(staged(view, memory.copy())));
    check::equal(all.size(), static_cast<std::size_t>(20 * comm.size()));
    check::equal(std::vector<int>(all.end() - 20, all.end()), numbers(7, 20));

    device sums;
    const strided_view<int> sum = views(sums)[(i + 1) % 4];
    comm.allreduce(send_buf(staged(view, memory.copy())), recv_buf(staged(sum, sums.copy())),
                   op(std::plus<>()));
    std::vector<int> expected = wanted(sums, sum, 7, 20);
    for (int& e : expected)
      if (e != -1) e *= comm.size();
    check::equal(sums.content(), expected);
  }
}

TEST(what_a_copy_throws_is_thrown_by_the_operation) {
  const communicator& comm = world();
  device memory;
  const strided_view<int> view = views(memory)[0];
  struct broken {};
  check::thrown_by<broken>([&] {
    comm.send(send_buf(staged(view, [](void*, const void*, std::size_t) { throw broken(); })),
              destination(comm.rank()));
  });
  const strided_view<int> shared{memory.data(), 4, 2, 0, 1};
  auto sending = comm.isend(send_buf(numbers(0, 8)), destination(next()));
  check::thrown_by<view_error>(
      [&] { comm.recv(recv_buf(staged(shared, memory.copy())), source(before())); });
  sending.wait();
  check::equal(memory.copies, 0);
}

TEST(a_device_aware_view_is_lent_without_being_touched) {
  for (const form used : {form::message, form::memory}) {
    const device memory;
    const auto expect_lent = [&]<form Form>() {
      for (const strided_view<int>& view : views(memory)) {
        using given = device_aware_view<strided_view<int>>;
        buffer_adapter<given, Form, resize_policy::automatic> adapter(device_aware(view));
        adapter.pack();
        const lent out = adapter.out();
        check::expect(out.address == view.data, "the address");
        check::equal(static_cast<std::size_t>(out.count * mpi::type_size(out.type)),
                     20 * sizeof(int));
        adapter.place(20);
        check::expect(adapter.in(20).address == view.data && !adapter.keeps_memory());
        adapter.unpack(20);
      }
    };
    if (used == form::message)
      expect_lent.operator()<form::message>();
    else
      expect_lent.operator()<form::memory>();
  }
}

TEST(messages_of_device_aware_views_arrive) {
  const communicator& comm = world();
  std::vector<int> sent(64, -1);
  std::vector<int> received(64, -1);
  const strided_view<int> from{sent.data() + 1, 4, 5, 1, 6};  // so short runs would be packed
  const strided_view<int> to{received.data() + 40, 4, 5, -8, 1};
  for (count_t i = 0; i < 20; ++i) from(i / 5, i % 5) = static_cast<int>(i);
  auto sending = comm.isend(send_buf(device_aware(from)), destination(next()));
  comm.recv(recv_buf(device_aware(to)), source(before()));
  sending.wait();
  for (count_t i = 0; i < 20; ++i) check::equal(to(i / 5, i % 5), static_cast<int>(i));
  check::equal(std::accumulate(received.begin(), received.end(), 0), 190 - 44);
}

TEST(partitions_of_a_device_aware_view_arrive) {
  if constexpr (mpi::has_psend_init) {
    const communicator& comm = world();
    std::vector<int> sent = numbers(100 * comm.rank(), 8);
    std::vector<int> received(8);
    const strided_view<int> from{sent.data(), 2, 4, 4};
    const strided_view<int> to{received.data(), 4, 2, 2};
    auto sending =
        comm.psend_init(send_buf(device_aware(from)), partitions(2), destination(next()));
    auto receiving = comm.precv_init(recv_buf(device_aware(to)), partitions(2), source(before()));
    receiving.start();
    sending.start();
    sending.pready_range(0, 1);
    receiving.wait();
    sending.wait();
    check::equal(received, numbers(100 * before(), 8));
  }
}

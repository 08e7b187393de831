// What calls with views keep for the next one: memory for packed elements and datatypes.

#include <cstdint>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <mpiglot/communicator.hpp>
#include <mpiglot/strided.hpp>

#include "../cpp/check.hpp"

using namespace mpiglot;

// What counts handles, where it is linked (balance/generate.py).
extern "C" long balance_of(const char* kind) __attribute__((weak));

extern "C" [[gnu::weak]] int balance_MPI_Type_commit(MPI_Datatype*);

extern "C" [[gnu::weak]] int balance_MPI_Type_free(MPI_Datatype*);

static int commits = 0;
static std::set<MPI_Datatype> committed;  // and not freed
// All tests of this program commit and free their datatypes here.
extern "C" int MPI_Type_commit(MPI_Datatype* type) {
  ++commits;
  committed.insert(*type);
  return balance_MPI_Type_commit != nullptr ? balance_MPI_Type_commit(type)
                                            : PMPI_Type_commit(type);
}
extern "C" int MPI_Type_free(MPI_Datatype* type) {
  committed.erase(*type);
  return balance_MPI_Type_free != nullptr ? balance_MPI_Type_free(type) : PMPI_Type_free(type);
}

namespace {

using detail::borrow_memory;
using detail::return_memory;

// The datatype that an adapter lends for a view.
template <class T>
mpi::datatype_handle lent_type(strided_view<T> view, count_t n) {
  buffer_adapter<strided_view<T>&, form::memory, resize_policy::automatic> adapter(view);
  adapter.place(n);
  check::expect(adapter.described());
  return adapter.in(n).type;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool keeps_freed_memory = true;  // sanitizers do, for a while
#elif defined(__has_feature)
constexpr bool keeps_freed_memory =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool keeps_freed_memory = false;
#endif
// Memory of this process in KiB, 0 where the system does not tell.
long resident_memory() {
  if (keeps_freed_memory) return 0;
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmRSS:") {
      long kib = 0;
      status >> kib;
      return kib;
    }
  return 0;
}

}  // namespace

TEST(memory_for_packed_elements_is_kept_within_limits) {
  detail::free_kept_memory();
  std::size_t room = 0;
  void* const first = borrow_memory(1000, room);
  check::expect(room >= 1000 && reinterpret_cast<std::uintptr_t>(first) % 64 == 0);
  std::size_t second_room = 0;
  void* const second = borrow_memory(1000, second_room);
  check::expect(second != first);  // the first is in use
  return_memory(first, room);
  return_memory(second, second_room);

  std::size_t found = 0;
  void* const again = borrow_memory(500, found);
  check::expect(again == first || again == second);
  return_memory(again, found);

  // The smallest that is large enough serves; those that are too small stay.
  std::size_t large_room = 0;
  void* const large = borrow_memory(100000, large_room);
  check::expect(large != first && large != second);
  return_memory(large, large_room);
  void* const small = borrow_memory(900, found);
  check::expect(small != large);
  return_memory(small, found);

  // More pieces than are kept: the largest are.
  std::vector<std::pair<void*, std::size_t>> pieces;
  for (std::size_t i = 0; i < 20; ++i) {
    std::size_t size = 0;
    void* const piece = borrow_memory(1000 * (i + 1), size);
    pieces.emplace_back(piece, size);
  }
  for (const auto& [piece, size] : pieces) return_memory(piece, size);
  check::expect(borrow_memory(99000, found) == large);
  return_memory(large, found);

  // What is larger than all that is kept is freed, and so is what would be too much together.
  void* const huge = borrow_memory(detail::most_memory_kept + 1, found);
  check::expect(huge != nullptr);
  return_memory(huge, found);
  detail::free_kept_memory();
  void* const most = borrow_memory(detail::most_memory_kept, found);
  check::equal(found, detail::most_memory_kept);
  return_memory(most, found);
  void* const none = borrow_memory(detail::most_memory_kept, found);
  check::expect(none == most);
  std::size_t other_room = 0;
  void* const other = borrow_memory(4096, other_room);
  return_memory(none, found);
  return_memory(other, other_room);  // it does not fit beside it
  void* const whole = borrow_memory(1, found);
  check::expect(whole == most);
  return_memory(whole, found);
  detail::free_kept_memory();
}

TEST(a_datatype_of_a_view_is_found_again_by_all_that_it_depends_on) {
  std::vector<double> elements(100 * 40);
  double* const at = elements.data();
  const auto type = lent_type(strided_view<double>{at, 10, 20, 40, 1}, 200);
  check::expect(type == lent_type(strided_view<double>{at + 7, 10, 20, 40, 1}, 200));
  check::expect(type != lent_type(strided_view<double>{at, 10, 20, 41, 1}, 200));
  check::expect(type != lent_type(strided_view<double>{at, 11, 20, 40, 1}, 220));
  check::expect(type != lent_type(strided_view<double>{at, 10, 20, 40, 1}, 160));
  std::vector<long> others(100 * 40);
  check::expect(type != lent_type(strided_view<long>{others.data(), 10, 20, 40, 1}, 200));
}

TEST(many_layouts_leave_a_bounded_number_of_datatypes) {
  std::vector<double> elements(5000 * 40);
  strided_view<double> first{elements.data(), 3, 20, 40, 1};
  buffer_adapter<strided_view<double>&, form::memory, resize_policy::automatic> pending(first);
  const long before = balance_of == nullptr ? 0 : balance_of("MPI_Datatype");
  for (long rows = 2; rows < 5000; ++rows)
    lent_type(strided_view<double>{elements.data(), rows, 20, 40, 1}, rows * 20);
  if (balance_of != nullptr) check::expect(balance_of("MPI_Datatype") - before <= 64);
  check::equal(mpi::type_size(pending.out().type), 3 * 20 * 8);  // used: it was not freed
}

TEST(a_second_call_makes_no_datatype_and_no_memory) {
  const communicator comm;
  const int next = (comm.rank() + 1) % comm.size();
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  std::vector<double> mine(120 * 40, comm.rank());
  std::vector<double> theirs(120 * 40, -1);
  const auto kept = [] {
    std::size_t room = 0;
    void* const memory = borrow_memory(1, room);
    return_memory(memory, room);
    return memory;
  };
  for (const long run : {1L, 20L}) {  // packed, described: 19200 bytes
    const strided_view<double> from{mine.data(), 120, run, 40, 1};
    const strided_view<double> into{theirs.data(), 120, run, 40, 1};
    const auto call = [&] {
      comm.sendrecv(send_buf(from), destination(next), recv_buf(into), source(before));
    };
    detail::free_kept_memory();
    call();
    const int types = commits;
    void* const memory = kept();
    for (int i = 0; i < 10; ++i) call();
    check::equal(commits, types);
    check::expect(kept() == memory);
    check::equal(theirs[119 * 40], static_cast<double>(before));
  }
}

TEST(calls_with_ever_other_shapes_leave_no_memory_and_no_datatypes) {
  const communicator comm;
  const auto me = comm.rank();
  std::vector<double> mine(1 << 16, 7), theirs(1 << 16);
  // Packed, described (one call of 16 has more than 16 KiB) and contiguous; never the same for long.
  const auto call = [&](long i) {
    const bool large = i % 16 == 0;
    const long rows = (large ? 70 : 2) + i % 61;
    const long columns = (large ? 35 : 1) + i % 37;
    const long gap = i % 5;
    const strided_view<double> from{mine.data(), rows, columns, columns + gap, 1};
    const strided_view<double> into{theirs.data(), columns, rows, rows + i % 7, 1};
    comm.sendrecv(send_buf(from), destination(me), recv_buf(into), source(me));
  };
  for (long i = 0; i < 2000; ++i) call(i);
  const long memory = resident_memory();
  const std::size_t types = committed.size();
  const long handles = balance_of == nullptr ? 0 : balance_of("MPI_Datatype");
  const int made = commits;
  for (long i = 2000; i < 102000; ++i) call(i);
  check::expect(commits - made > 1000);  // else nothing was described
  check::expect(committed.size() <= types + 64);
  if (balance_of != nullptr) check::expect(balance_of("MPI_Datatype") - handles <= 64);
  check::expect(resident_memory() - memory < 4096);
}

// The memory that a view is packed into is missing on one rank. No rank waits for ever: that rank
// throws std::bad_alloc, or receives without that memory; the others get what is theirs, or
// `remote_failure` where lengths travel or are compared. Then a collective works.

#include <cstdlib>
#include <new>
#include <optional>
#include <vector>

#include <mpiglot/at_most.hpp>
#include <mpiglot/communicator.hpp>
#include <mpiglot/plugins/policies.hpp>
#include <mpiglot/serialized.hpp>
#include <mpiglot/strided.hpp>

#include "../cpp/check.hpp"

using namespace mpiglot;

namespace {

constexpr std::size_t large = 20000;  // bytes
constexpr int always = 1 << 30;
int missing = 0;  // how many large allocations fail from now on

}  // namespace

extern "C" {
// The linker replaces the functions in this program, not in MPI.
void* __real_malloc(std::size_t size);   // NOLINT
void* __wrap_malloc(std::size_t size) {  // NOLINT
  if (size >= large && missing > 0) {
    --missing;
    return nullptr;
  }
  return __real_malloc(size);
}
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);   // NOLINT
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {  // NOLINT
  if (size >= large && missing > 0) {
    --missing;
    return nullptr;
  }
  return __real_aligned_alloc(alignment, size);
}
void* __real_realloc(void* memory, std::size_t size);   // NOLINT
void* __wrap_realloc(void* memory, std::size_t size) {  // NOLINT
  if (size >= large && missing > 0) {
    --missing;
    return nullptr;
  }
  return __real_realloc(memory, size);
}
}
// What vectors have, too.
void* operator new(std::size_t size) {
  void* const memory = size >= large && missing > 0 ? nullptr : __real_malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

constexpr long length = 6000;  // a multiple of the number of ranks

// Every second element of memory of its own.
struct gapped {
  std::vector<double> memory;
  explicit gapped(double value = -1, long n = length)
      : memory(2 * static_cast<std::size_t>(n), value) {}
  [[nodiscard]] strided_view<double> elements() {
    return {memory.data(), static_cast<long>(memory.size() / 2), 1, 2};
  }
  [[nodiscard]] bool all(double value) const {
    for (std::size_t i = 0; i < memory.size(); i += 2)
      if (memory[i] != value) return false;
    return true;
  }
};

enum class seen { nothing, memory, told, no_such_form };

// What this rank sees of a call in which `fails` allocations of rank `poor` fail.
template <class Call>
seen seen_of(bool poor, int fails, Call call) {
  detail::free_kept_memory();
  missing = poor ? fails : 0;
  seen found = seen::nothing;
  try {
    call();
  } catch (const std::bad_alloc&) {
    found = seen::memory;
  } catch (const remote_failure&) {
    found = seen::told;
  } catch (const mpi::unavailable&) {
    found = seen::no_such_form;
  }
  missing = 0;
  check::equal(communicator().allreduce(send_buf(1), op(mpi::sum)).front(), communicator().size());
  return found;
}

// The rank that lacks memory says so, and the others see what they must.
template <class Call>
void fails(bool poor, int allocations, seen others, Call call,
           std::source_location where = std::source_location::current()) {
  const seen found = seen_of(poor, allocations, call);
  if (found == seen::no_such_form) return;
  check::expect(found == (poor ? seen::memory : others), "not what this rank must see", where);
}

template <class Request>
void persistent(Request request) {
  request.start();
  request.wait();
}

// Each form of an operation: the blocking one, where `others` see this; then the ones of one call.
#define IN_EVERY_FORM(poor, allocations, others, operation, ...)                             \
  fails(poor, allocations, others, [&] { static_cast<void>(comm.operation(__VA_ARGS__)); }); \
  fails(poor, allocations, seen::nothing,                                                    \
        [&] { static_cast<void>(comm.i##operation(__VA_ARGS__).wait()); });                  \
  if (!check::known_defect("persistent-" #operation))                                        \
  fails(poor, allocations, seen::nothing, [&] { persistent(comm.operation##_init(__VA_ARGS__)); })

}  // namespace

TEST(a_message_of_a_view_needs_no_memory) {
  const communicator comm;
  const bool poor = comm.rank() == 0;
  const int next = (comm.rank() + 1) % comm.size();
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  const auto right = [&](auto call) {
    gapped mine(comm.rank());
    gapped other;
    check::expect(seen_of(poor, always, [&] { call(mine.elements(), other.elements()); }) ==
                  seen::nothing);
    check::expect(other.all(before));
  };
  right([&](auto mine, auto other) {
    comm.sendrecv(send_buf(mine), destination(next), recv_buf(other), source(before));
  });
  right([&](auto mine, auto other) {
    auto received = comm.irecv(recv_buf(other), source(before));
    auto sent = comm.isend(send_buf(mine), destination(next));
    received.wait();
    sent.wait();
  });
  right([&](auto mine, auto other) {
    auto received = comm.recv_init(recv_buf(other), source(before));
    auto sent = comm.send_init(send_buf(mine), destination(next));
    received.start();
    sent.start();
    received.wait();
    sent.wait();
  });
}

TEST(a_bcast_into_a_view_needs_no_memory) {
  const communicator comm;
  const bool poor = comm.rank() == 0 && comm.size() > 1;
  const int from = comm.size() - 1;
  for (const bool counted : {false, true}) {
    gapped data(comm.rank());
    check::expect(seen_of(poor, always, [&] {
                    if (counted)
                      comm.bcast(send_recv_buf(data.elements()), send_recv_count(length),
                                 root(from));
                    else
                      comm.bcast(send_recv_buf(data.elements()), root(from));
                  }) == seen::nothing);
    check::expect(data.all(from));
  }
  gapped data(comm.rank());
  check::expect(seen_of(poor, always, [&] {
                  comm.ibcast(send_recv_buf(data.elements()), root(from)).wait();
                }) == seen::nothing);
  check::expect(data.all(from));
}

TEST(the_root_of_a_bcast_without_memory_tells_all) {
  const communicator comm;
  gapped data(comm.rank());
  const auto buffer = data.elements();
  if (detail::describes_broadcasts) {  // a derived datatype, as in a message
    const auto right = [&](auto call) {
      check::expect(seen_of(comm.rank() == 0, always, call) == seen::nothing);
      check::expect(data.all(0));
    };
    right([&] { comm.bcast(send_recv_buf(buffer)); });
    right([&] { comm.ibcast(send_recv_buf(buffer)).wait(); });
  } else {
    fails(comm.rank() == 0, always, seen::told, [&] { comm.bcast(send_recv_buf(buffer)); });
    fails(comm.rank() == 0, always, seen::nothing,
          [&] { comm.ibcast(send_recv_buf(buffer)).wait(); });
  }
}

TEST(a_scatter_into_a_view_needs_no_memory) {
  const communicator comm;
  const bool poor = comm.rank() == comm.size() - 1;
  const std::vector<double> all(static_cast<std::size_t>(length * comm.size()), 5);
  const std::vector<int> counts(static_cast<std::size_t>(comm.size()), length);
  const auto right = [&](auto call) {
    gapped mine;
    const auto buffer = mine.elements();
    check::expect(seen_of(poor, always, [&] { call(recv_buf(buffer)); }) == seen::nothing);
    check::expect(mine.all(5));
  };
  right([&](auto into) { comm.scatter(send_buf(all), into); });
  right([&](auto into) { comm.iscatter(send_buf(all), into).wait(); });
  right([&](auto into) { comm.scatterv(send_buf(all), send_counts(counts), into); });
  right([&](auto into) { comm.iscatterv(send_buf(all), send_counts(counts), into).wait(); });
}

TEST(the_root_of_a_scatter_without_memory) {
  const communicator comm;
  const bool poor = comm.rank() == 0;
  gapped all(5, length * comm.size());
  const auto buffer = all.elements();
  const std::vector<int> counts(static_cast<std::size_t>(comm.size()), length);
  std::vector<double> mine(length);
  fails(poor, always, seen::told, [&] { comm.scatter(send_buf(buffer), recv_buf(mine)); });
  fails(poor, always, seen::nothing,
        [&] { comm.iscatter(send_buf(buffer), recv_buf(mine)).wait(); });
  fails(poor, always, seen::told,
        [&] { comm.scatterv(send_buf(buffer), send_counts(counts), recv_buf(mine)); });
  fails(poor, always, seen::nothing,
        [&] { comm.iscatterv(send_buf(buffer), send_counts(counts), recv_buf(mine)).wait(); });
  fails(poor, always, seen::nothing, [&] {
    comm.scatterv(send_buf(buffer), send_counts(counts), recv_buf(mine), recv_count(length));
  });
}

TEST(gathering_of_a_view_without_memory) {
  const communicator comm;
  const bool poor = comm.rank() == comm.size() - 1;
  gapped mine(comm.rank());
  const auto buffer = mine.elements();
  const std::vector<int> counts(static_cast<std::size_t>(comm.size()), length);
  std::vector<double> all(static_cast<std::size_t>(length * comm.size()));
  IN_EVERY_FORM(poor, always, seen::nothing, gather, send_buf(buffer), recv_buf(all));
  IN_EVERY_FORM(poor, always, seen::nothing, allgather, send_buf(buffer), recv_buf(all));
  IN_EVERY_FORM(poor, always, seen::nothing, allgatherv, send_buf(buffer), recv_buf(all),
                recv_counts(counts));
  fails(poor, always, seen::told, [&] { comm.allgatherv(send_buf(buffer), recv_buf(all)); });
  fails(poor, always, seen::told,
        [&] { comm.allgatherv(send_buf(buffer), recv_buf(all), lengths_first()); });
  fails(poor, always, comm.rank() == 0 ? seen::told : seen::nothing,
        [&] { comm.gatherv(send_buf(buffer), recv_buf(all)); });
}

TEST(gathering_into_a_view_without_memory) {
  const communicator comm;
  const bool poor = comm.rank() == 0;
  gapped all(-1, length * comm.size());
  const auto buffer = all.elements();
  const std::vector<double> mine(length, comm.rank());
  const std::vector<int> counts(static_cast<std::size_t>(comm.size()), length);
  IN_EVERY_FORM(poor, always, seen::nothing, gather, send_buf(mine), recv_buf(buffer));
  IN_EVERY_FORM(poor, always, seen::nothing, gatherv, send_buf(mine), recv_buf(buffer),
                recv_counts(counts));
  fails(poor, always, seen::nothing, [&] { comm.gatherv(send_buf(mine), recv_buf(buffer)); });
  fails(poor, always, seen::told, [&] { comm.allgatherv(send_buf(mine), recv_buf(buffer)); });
  fails(poor, always, seen::told,
        [&] { comm.allgatherv(send_buf(mine), recv_buf(buffer), lengths_first()); });
  // Memory is asked for twice. MPI passes on what a rank receives: there is memory for that, or the job ends.
  IN_EVERY_FORM(poor, 2, seen::nothing, allgather, send_buf(mine), recv_buf(buffer));
  IN_EVERY_FORM(poor, 2, seen::nothing, allgatherv, send_buf(mine), recv_buf(buffer),
                recv_counts(counts));
  if (!poor)
    for (std::size_t i = 0; i < all.memory.size(); i += 2)
      check::equal(all.memory[i], static_cast<double>(i / (2 * length)));
}

TEST(exchanges_of_views_without_memory) {
  const communicator comm;
  const bool poor = comm.rank() == comm.size() - 1;
  gapped from(comm.rank());
  gapped to;
  const auto sent = from.elements(), received = to.elements();
  std::vector<double> into(length);
  const std::vector<double> out(length, comm.rank());
  const std::vector<int> counts(static_cast<std::size_t>(comm.size()), length / comm.size());
  IN_EVERY_FORM(poor, always, seen::nothing, alltoall, send_buf(sent), recv_buf(into));
  IN_EVERY_FORM(poor, always, seen::nothing, alltoall, send_buf(out), recv_buf(received));
  IN_EVERY_FORM(poor, always, seen::nothing, alltoall, send_recv_buf(received));
  IN_EVERY_FORM(poor, always, seen::nothing, alltoallv, send_buf(sent), send_counts(counts),
                recv_buf(into), recv_counts(counts));
  IN_EVERY_FORM(poor, always, seen::nothing, alltoallv, send_buf(out), send_counts(counts),
                recv_buf(received), recv_counts(counts));
  fails(poor, always, seen::told,
        [&] { comm.alltoallv(send_buf(sent), send_counts(counts), recv_buf(into)); });
  fails(poor, always, seen::told,
        [&] { comm.alltoallv(send_buf(out), send_counts(counts), recv_buf(received)); });
  fails(poor, always, seen::told, [&] {
    comm.alltoallv(send_buf(out), send_counts(counts), recv_buf(received), lengths_first());
  });
}

TEST(reductions_of_views_without_memory) {
  const communicator comm;
  const bool poor = comm.rank() == 0;
  gapped from(1);
  gapped to;
  const auto sent = from.elements(), received = to.elements();
  std::vector<double> into(length);
  const std::vector<double> out(length, 1);
  IN_EVERY_FORM(poor, 2, seen::nothing, reduce, send_buf(sent), recv_buf(into), op(mpi::sum));
  IN_EVERY_FORM(poor, 2, seen::nothing, reduce, send_buf(out), recv_buf(received), op(mpi::sum));
  IN_EVERY_FORM(poor, 2, seen::nothing, allreduce, send_buf(sent), recv_buf(into), op(mpi::sum));
  IN_EVERY_FORM(poor, 2, seen::nothing, allreduce, send_buf(out), recv_buf(received), op(mpi::sum));
  IN_EVERY_FORM(poor, 2, seen::nothing, allreduce, send_recv_buf(received), op(mpi::sum));
  IN_EVERY_FORM(poor, 2, seen::nothing, scan, send_buf(sent), recv_buf(into), op(mpi::sum));
  IN_EVERY_FORM(poor, 2, seen::nothing, exscan, send_buf(out), recv_buf(received), op(mpi::sum));
}

TEST(at_level_communication_all_ranks_are_told_of_missing_memory) {
  const basic_communicator<checked_together> comm;
  const bool poor = comm.rank() == 0;
  gapped from(1);
  gapped to;
  gapped wide(1, length * comm.size());
  const auto sent = from.elements(), received = to.elements(), all = wide.elements();
  const std::vector<double> out(length, 1);
  const std::vector<int> counts(static_cast<std::size_t>(comm.size()), length / comm.size());
  const auto told = [&](auto call, std::source_location where = std::source_location::current()) {
    fails(poor, always, seen::told, call, where);
  };
  if (!detail::describes_broadcasts) {
    told([&] { comm.bcast(send_recv_buf(sent)); });
    told([&] { comm.ibcast(send_recv_buf(sent)).wait(); });
  }
  told([&] { comm.scatter(send_buf(all), recv_buf(received)); });
  told([&] { comm.iscatter(send_buf(all), recv_buf(received)).wait(); });
  told([&] { static_cast<void>(comm.gather(send_buf(sent))); });
  told([&] { comm.allgather(send_buf(out), recv_buf(all)); });
  told([&] { comm.iallgather(send_buf(out), recv_buf(all)).wait(); });
  told([&] { static_cast<void>(comm.alltoall(send_buf(sent))); });
  told([&] {
    static_cast<void>(comm.alltoallv(send_buf(sent), send_counts(counts), recv_counts(counts)));
  });
  told([&] { static_cast<void>(comm.allreduce(send_buf(sent), op(mpi::sum))); });
  told([&] { comm.allreduce(send_buf(out), recv_buf(received), op(mpi::sum)); });
  told([&] { comm.iallreduce(send_recv_buf(received), op(mpi::sum)).wait(); });
  told([&] { static_cast<void>(comm.scan(send_buf(sent), op(mpi::sum))); });
}

TEST(a_long_bcast_into_a_view_without_memory_is_told_before_it_starts) {
  const communicator comm;
  const int from = comm.size() - 1;
  const bool poor = comm.rank() == 0 && from != 0;
  gapped data(comm.rank(), 1 << 20);
  const auto buffer = data.elements();
  const auto tried = [&](auto call) {
    if (detail::describes_broadcasts)
      check::expect(seen_of(poor, always, call) == seen::nothing && data.all(from));
    else
      fails(poor, always, from != 0 ? seen::told : seen::nothing, call);
  };
  tried([&] { comm.bcast(send_recv_buf(buffer), root(from)); });
  tried([&] { comm.bcast(send_recv_buf(buffer), root(from), lengths_first()); });
  comm.bcast(send_recv_buf(buffer), root(from));
  check::expect(data.all(from));
}

TEST(a_bounded_buffer_without_memory_tells_the_others) {
  const communicator comm;
  const bool poor = comm.rank() == 0;
  std::vector<double> values(4);
  fails(poor, always, seen::told,
        [&] { comm.ibcast(send_recv_buf(at_most(large, values))).wait(); });
  fails(poor, 2, seen::told,
        [&] { static_cast<void>(comm.iallgather(send_buf(at_most(large, values))).wait()); });
}

// Alone, since nobody else gets what this rank cannot take and pass on.
TEST(a_result_without_memory_is_told_where_sending_may_fail) {
  const communicator comm(mpi::comm_self);
  gapped data(1);
  const auto out = send_buf(data.elements());
  const auto some = send_count(length);
  const std::vector<int> counts{length};
#define FINDS_NO_MEMORY(operation, ...) \
  IN_EVERY_FORM(true, always, seen::memory, operation, out, __VA_ARGS__)
  FINDS_NO_MEMORY(gather, some);
  FINDS_NO_MEMORY(allgather, some);
  FINDS_NO_MEMORY(gatherv, some, recv_counts(counts));
  FINDS_NO_MEMORY(allgatherv, some, recv_counts(counts));
  FINDS_NO_MEMORY(scatter, some, recv_count(length));
  FINDS_NO_MEMORY(scatterv, send_counts(counts), recv_count(length));
  FINDS_NO_MEMORY(alltoall, some);
  FINDS_NO_MEMORY(alltoallv, send_counts(counts), recv_counts(counts));
  FINDS_NO_MEMORY(reduce, some, op(mpi::sum));
  FINDS_NO_MEMORY(allreduce, some, op(mpi::sum));
  FINDS_NO_MEMORY(scan, some, op(mpi::sum));
}

TEST(a_rank_without_memory_for_long_runs_tells_the_others) {
  const communicator comm;
  std::vector<std::vector<double>> value;
  if (comm.rank() == 0) value.assign(3, std::vector<double>(20000, 2));
  const bool poor = comm.rank() == comm.size() - 1 && comm.rank() != 0;
  const seen found =
      seen_of(poor, always, [&] { comm.bcast(send_recv_buf(as_serialized(value))); });
  if (comm.size() > 1) check::expect(found == (poor ? seen::memory : seen::told));
  check::equal(value.size(),
               comm.rank() == 0 || comm.size() == 1 ? std::size_t{3} : std::size_t{0});
}

// Bodies of detail/merged/vector_variants.hpp.

#pragma once

#include <mpiglot/detail/base/library_defects.hpp>
#include <mpiglot/detail/merged/slots.hpp>
#include <mpiglot/detail/merged/vector_variants.hpp>
#include <mpiglot/mpi/calls/allgatherv.hpp>
#include <mpiglot/mpi/calls/alltoallv.hpp>

namespace mpiglot::detail::merged {

/// After the first message. Whether the second one is needed, into `into`.
[[nodiscard]] inline bool arrive(outcome& done, receiving_parts& to, room& into,
                                 mpi::comm_handle comm) {
  if (done.code != MPI_SUCCESS) [[unlikely]]
    return false;
  into = to.make_room(done.all.length);
  to.failed = done.all.failed;
  if (to.failed >= 0) [[unlikely]]
    return false;
  if (!to.layout.allocated()) {
    if (done.complete && into.plain) [[likely]] {
      done.received.take_all(to.layout.size(), static_cast<std::byte*>(into.memory.address),
                             to.width);
      return false;
    }
    to.layout.allocate();
    done.received.read_lengths(to.layout.size(), to.layout.lengths());
  }
  to.layout.lay_out();
  if (!done.complete) return true;
  done.code = deliver(done.received, to.layout, into.memory, into.plain, to.width, comm);
  return false;
}

[[gnu::noinline]] MPIGLOT_INLINE int allgatherv(const group_view& group, const payload& mine,
                                                receiving_parts& to) {
  outcome done = allgather(learned_in(group), group.comm, group.rank, group.size, mine,
                           to.layout.allocated() ? to.layout.lengths() : nullptr);
  room into;
  if (arrive(done, to, into, group.comm)) [[unlikely]] {
    if (group.size == 1)
      into.memory.address =
          place_of_only_part(into.memory.address, to.layout.displacement(0), into.memory.type);
    to.layout.visit([&](auto counts, auto places) {
      now{done.code}(mpi::calls::allgatherv(), mine.from.address, mine.from.count, mine.from.type,
                     into.memory.address, counts, places, into.memory.type, group.comm);
    });
  }
  return done.code;
}

[[gnu::noinline]] MPIGLOT_INLINE int alltoallv(const group_view& group, const payload& from,
                                               const sent_layout& sent, receiving_parts& to) {
  outcome done = alltoall(learned_in(group), group.comm, group.size, sent, from,
                          to.layout.allocated() ? to.layout.lengths() : nullptr);
  room into;
  if (arrive(done, to, into, group.comm)) [[unlikely]] {
    // MPICH takes two empty buffers without address for one that is given twice.
    void* const memory = into.memory.address != nullptr ? into.memory.address : &no_array;
    visit_both<true>(sent, to.layout, [&](auto counts, auto places, auto more, auto others) {
      now{done.code}(mpi::calls::alltoallv(), from.from.address, counts, places, from.from.type,
                     memory, more, others, into.memory.type, group.comm);
    });
  }
  return done.code;
}

[[gnu::noinline]] MPIGLOT_INLINE bool scatterv(const group_view& group, int root,
                                               const payload& from, const sent_layout& sent,
                                               count_t& mine, const receiving& to, int& code) {
  const outcome done = scatter(learned_in(group), group.comm, root,
                               group.rank == root ? group.size : 0, sent, from, mine);
  code = done.code;
  if (code != MPI_SUCCESS || mine == poison) [[unlikely]]
    return false;
  if (to.place == nullptr) return !done.complete;
  const room into = to.make_room(mine);
  if (!done.complete) return true;
  code = unpack(done.received.payload(0), into, mine, to.width, group.comm);
  return false;
}

[[gnu::noinline]] MPIGLOT_INLINE int unpack(const std::byte* from, const room& to, count_t n,
                                            std::size_t width, mpi::comm_handle comm) noexcept {
  if (n <= 0) return MPI_SUCCESS;
  if (!to.plain) [[unlikely]]
    return unpack_typed(from, to.memory.address, to.memory.count, to.memory.type, comm).code;
  copy_bytes(static_cast<std::byte*>(to.memory.address), from, static_cast<std::size_t>(n) * width);
  return MPI_SUCCESS;
}

}  // namespace mpiglot::detail::merged

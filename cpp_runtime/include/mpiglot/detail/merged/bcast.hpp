// The first message of a bcast of unknown length: the length, and the payload if it is small; see
// merged.hpp. Where an MPI has a fast path for small messages (merge_limits::bcast_in_two), a
// payload of nearly two of them begins in the first message and ends in the second.

#pragma once

#include <mpiglot/detail/merged/slots.hpp>
#include <mpiglot/mpi/calls/bcast.hpp>

namespace mpiglot::detail::merged {

/// Whether a payload that asks for `wanted` begins in a slot of `units`, too small for all of it.
[[nodiscard]] constexpr bool begins(slot_units units, slot_units wanted) noexcept {
  return units == merge_limits::bcast / slot_unit && wanted > units &&
         wanted <= merge_limits::bcast_in_two / slot_unit;
}

/// What the first message told, and how much of the payload came along.
struct beginning {
  int code;
  count_t length;
  slot_units units;
  slot_units wanted;

  [[nodiscard]] bool complete() const noexcept { return code == MPI_SUCCESS && wanted <= units; }
  /// The bytes of payload in the slot, if it does not take all of them.
  [[nodiscard]] std::size_t begun() const noexcept {
    return begins(units, wanted) ? units * slot_unit - slot_header : 0;
  }
};

/// The bytes that elements take, or what MPI_Pack needs at most.
[[nodiscard, gnu::noinline]] inline std::size_t size_of(const payload& sent,
                                                        mpi::comm_handle comm) noexcept {
  return sent.size(comm);
}

/// The root's length, and its payload or the beginning of it, to everybody.
[[nodiscard, gnu::noinline]] inline beginning bcast(learned& known, mpi::comm_handle comm,
                                                    bool at_root, int root, const payload& sent) {
  const std::size_t size = at_root ? size_of(sent, comm) : 0;
  slot_units wanted = size == 0 ? lengths_only : units_for(size);
  // What is packed has another length than what it becomes, so that only the root knows it.
  if (!sent.plain && wanted > merge_limits::bcast / slot_unit) wanted = too_large;
  for (slot_units units = known.bcast.next();; units = lengths_only) {
    const slots one = open(known, units, 1, slot_mark::bcast);
    const std::size_t along = wanted <= units         ? size
                              : begins(units, wanted) ? one.size() - slot_header
                                                      : 0;
    if (along != 0 && !sent.pack(one.at(0) + slot_header, along, comm).ok()) [[unlikely]]
      wanted = too_large;
    if (at_root)
      one.tell(0, sent.length, wanted);
    else
      one.unmark(1);
    const int code = MPIGLOT_WAITING(MPI_Bcast)(one.at(0), static_cast<int>(one.size()), MPI_BYTE,
                                                root, comm.native);
    count_t length = 0;
    const slot_units told = one.read(code, 1, &length).wanted;
    if (told == cannot_tell && units != lengths_only) [[unlikely]] {
      known.bcast.leave();
      continue;
    }
    if (code == MPI_SUCCESS) [[likely]]
      known.bcast.learn(told);
    else
      refuse_data(code);
    return {code, length, units, told};
  }
}

/// The end of a payload that began in the slot, from memory or into it.
template <class Wire>
[[nodiscard]] int end_bcast(const beginning& told, learned& known, mpi::comm_handle comm,
                            bool at_root, int root, const lent& memory) {
  const std::size_t begun = told.begun();
  const std::size_t size = static_cast<std::size_t>(told.length) * sizeof(Wire);
  bytes scratch;
  auto* to = static_cast<std::byte*>(memory.address);
  if (!is_plain<Wire>(memory)) [[unlikely]] {
    scratch.resize_to_take_part(size);
    to = scratch.data();
  }
  if (!at_root) std::memcpy(to, known.slots.data() + slot_header, begun);
  const int code = mpi::calls::bcast::now(to + begun, static_cast<count_t>(size - begun),
                                          mpi::datatype_handle{MPI_BYTE}, root, comm);
  if (at_root || code != MPI_SUCCESS || is_plain<Wire>(memory)) return code;
  // One item of a datatype may describe all.
  return unpack<Wire>(to, memory, memory.count, comm).code;
}

}  // namespace mpiglot::detail::merged

// Counts and small payloads in one message: every rank sends a slot, a header and what fits behind
// it, and the slots of all have one size that all ranks know.
//
//   header   length in wire elements | size of slot that the sender would have needed
//   payload  the elements as they lie in memory, if they fit
//
// The largest size that is asked for in the slots that a rank receives is the same on all ranks,
// because each operation's headers reach everybody: in allgatherv and bcast all see all slots; in
// alltoallv and scatterv a sender tells each receiver the size for its *largest* message. So all
// agree whether the payload was complete (else the textbook's second message follows, with the
// lengths known by now) and how large the next slots are. A gatherv has no such rule: what the
// others sent, a rank that is not the root does not learn. It keeps the textbook.
//
// A header has 4 bytes: what is saved keeps a payload of 24 bytes in MPICH's smallest packet. A
// length that needs more is told in a round of its own.

#pragma once

#include <cstring>

#include <mpiglot/buffer.hpp>
#include <mpiglot/detail/learned.hpp>
#include <mpiglot/mpi/collectives.hpp>

namespace mpiglot::detail::merged {

/// Whether elements of this type travel as their bytes. Where a program gives a datatype of its own,
/// those may be others than what it sends.
template <class Wire>
inline constexpr bool mergeable = std::is_trivially_copyable_v<Wire> && !has_own_datatype<Wire>;

inline constexpr slot_units too_large = largest_slot + 1;     // for any slot
inline constexpr slot_units cannot_tell = largest_slot + 2;  // neither payload nor length
inline constexpr count_t longest = 0xfffffe;                 // that a header of 4 bytes tells

/// The smallest slot that takes this payload.
[[nodiscard]] constexpr slot_units units_for(std::size_t payload) noexcept {
  const std::size_t units = 1 + (payload + slot_unit - 1) / slot_unit;
  return units < too_large ? static_cast<slot_units>(units) : too_large;
}

/// What a message of `length` elements asks for; nothing where there is none.
template <class Wire>
[[nodiscard]] constexpr slot_units units_of(count_t length) noexcept {
  if (length <= 0) return lengths_only;
  return units_for(static_cast<std::size_t>(length) * sizeof(Wire));
}

/// The first word of a slot, 4 or 8 bytes: the size asked for above the length.
template <class Word>
struct header {
  static constexpr unsigned bits = 8 * sizeof(Word) - 8;
  static constexpr Word mask = (Word{1} << bits) - 1;

  static void write(std::byte* slot, count_t length, slot_units wanted) noexcept {
    const Word word = static_cast<Word>(static_cast<Word>(length) & mask) | Word{wanted} << bits;
    std::memcpy(slot, &word, sizeof word);
  }
  header(const std::byte* slot) noexcept {
    Word word = 0;
    std::memcpy(&word, slot, sizeof word);
    length = (word & mask) == mask ? poison : static_cast<count_t>(word & mask);
    wanted = static_cast<slot_units>(word >> bits);
  }

  count_t length;
  slot_units wanted;
};

/// Copies `length` elements out of lent memory; false if they do not come out as their bytes.
template <class Wire>
[[nodiscard]] bool pack_into(std::byte* to, const lent& from, count_t length,
                             mpi::comm_handle comm) noexcept {
  const std::size_t size = static_cast<std::size_t>(length) * sizeof(Wire);
  if (size == 0) return true;
  if (from.type.native == datatype_of<Wire>().native) [[likely]] {
    std::memcpy(to, from.address, size);
    return true;
  }
  const count_t room = static_cast<count_t>(size);
  const auto needed = mpi::nothrow::pack_size(from.count, from.type, comm);
  count_t used = 0;
  return needed.ok() && needed.value == room &&
         mpi::nothrow::pack(from.address, from.count, from.type, to, room, used, comm).ok() &&
         used == room;
}

/// Copies `length` elements into lent memory.
template <class Wire>
[[nodiscard]] mpi::result<> unpack_from(const std::byte* from, const lent& to, count_t length,
                                        mpi::comm_handle comm) noexcept {
  const std::size_t size = static_cast<std::size_t>(length) * sizeof(Wire);
  if (size == 0) return {MPI_SUCCESS};
  if (to.type.native == datatype_of<Wire>().native) [[likely]] {
    std::memcpy(to.address, from, size);
    return {MPI_SUCCESS};
  }
  count_t used = 0;
  return mpi::nothrow::unpack(from, static_cast<count_t>(size), used, to.address, to.count, to.type,
                              comm);
}

/// Slots of one size, in memory that the communicator keeps.
class slots {
 public:
  slots(std::byte* memory, slot_units units) noexcept : memory_(memory), units_(units) {}

  [[nodiscard]] bool tell_lengths_only() const noexcept { return units_ == lengths_only; }
  [[nodiscard]] std::size_t size() const noexcept { return size_of(units_); }
  [[nodiscard]] static std::size_t size_of(slot_units units) noexcept {
    return units == lengths_only ? sizeof(std::uint64_t) : units * slot_unit;
  }
  [[nodiscard]] std::byte* at(std::size_t i) const noexcept { return memory_ + i * size(); }
  [[nodiscard]] const std::byte* payload(std::size_t i) const noexcept { return at(i) + slot_unit; }
  [[nodiscard]] bool take(slot_units wanted) const noexcept { return wanted <= units_; }

  /// Writes the header of slot `i`.
  void tell(std::size_t i, count_t length, slot_units wanted) const noexcept {
    if (tell_lengths_only())
      header<std::uint64_t>::write(at(i), length, wanted);
    else
      header<std::uint32_t>::write(at(i), length, length > longest ? cannot_tell : wanted);
  }

  /// Fills slot `i` with elements one after another; with their length only if `wanted` is too much.
  template <class Wire>
  void fill(std::size_t i, count_t length, slot_units wanted, const Wire* from) const noexcept {
    tell(i, length, wanted);
    if (length > 0 && take(wanted))
      std::memcpy(at(i) + slot_unit, from, static_cast<std::size_t>(length) * sizeof(Wire));
  }

  /// The same with any memory that is lent.
  template <class Wire>
  void fill(std::size_t i, count_t length, const lent& from, mpi::comm_handle comm) const noexcept {
    slot_units wanted = units_of<Wire>(length);
    if (length > 0 && take(wanted) &&
        !pack_into<Wire>(at(i) + slot_unit, from, length, comm)) [[unlikely]]
      wanted = too_large;
    tell(i, length, wanted);
  }

  /// Reads the lengths in `count` slots; the largest slot that a sender asked for.
  [[nodiscard]] slot_units read(std::size_t count, count_t* lengths) const noexcept {
    return tell_lengths_only() ? read_as<std::uint64_t>(count, lengths)
                               : read_as<std::uint32_t>(count, lengths);
  }

 private:
  template <class Word>
  [[nodiscard]] slot_units read_as(std::size_t count, count_t* lengths) const noexcept {
    slot_units largest = lengths_only;
    for (std::size_t i = 0; i < count; ++i) {
      const header<Word> told(at(i));
      lengths[i] = told.length;
      if (told.wanted > largest) largest = told.wanted;
    }
    return largest;
  }

  std::byte* memory_;
  slot_units units_;
};

[[nodiscard]] inline slots open(learned& known, slot_units units, std::size_t count) {
  const std::size_t size = count * slots::size_of(units);
  if (known.slots.size() < size) [[unlikely]] known.slots.resize(size);
  return {known.slots.data(), units};
}

/// What an exchange gives: MPI's code, whether the payloads came along, and the slots they are in.
struct outcome {
  mpi::result<> code;
  bool complete;
  slots received;
};

/// Runs `exchange(units)`, which gives an outcome and the largest slot that was asked for, with slots
/// of the size that was learned; again if they were too small to tell a length. Learns.
template <class Exchange>
[[nodiscard]] outcome run(learned_size& kind, Exchange exchange) {
  auto [done, wanted] = exchange(kind.next());
  if (wanted == cannot_tell) [[unlikely]] {
    const auto [again, largest] = exchange(lengths_only);
    done = again;
    wanted = largest;
  }
  if (!done.code.ok()) [[unlikely]] return done;
  kind.learn(wanted);
  return done;
}

struct exchanged {
  outcome done;
  slot_units wanted;

  exchanged(mpi::result<> code, const slots& received, slot_units largest) noexcept
      : done{code, code.ok() && received.take(largest), received}, wanted(largest) {}
};

/// Everybody's length, and payload if all are small, to everybody. A rank that failed tells `poison`.
template <class Wire>
[[nodiscard]] outcome allgather(learned& known, mpi::comm_handle comm, int rank, int size,
                                count_t length, const lent& out, count_t* lengths) {
  return run(known.allgatherv, [&](slot_units units) {
    const auto ranks = static_cast<std::size_t>(size);
    const slots all = open(known, units, ranks);
    all.fill<Wire>(static_cast<std::size_t>(rank), length, out, comm);
    const mpi::result<> code =
        mpi::nothrow::allgather(mpi::in_place, 0, mpi::byte, all.at(0),
                                static_cast<count_t>(all.size()), mpi::byte, comm);
    return exchanged(code, all, all.read(ranks, lengths));
  });
}

/// The root's length, and payload if it is small, to everybody.
template <class Wire>
[[nodiscard]] outcome bcast(learned& known, mpi::comm_handle comm, bool at_root, int root,
                            count_t& length, const lent& out) {
  return run(known.bcast, [&](slot_units units) {
    const slots one = open(known, units, 1);
    if (at_root) one.fill<Wire>(0, length, out, comm);
    const mpi::result<> code = mpi::nothrow::bcast(one.at(0), static_cast<count_t>(one.size()),
                                                   mpi::byte, root, comm);
    count_t told = 0;
    const slot_units wanted = one.read(1, &told);
    if (!at_root) length = told;
    return exchanged(code, one, wanted);
  });
}

/// What a rank sends to many: `length(i)` elements to rank i, from `part(i)`. All are told the slot
/// for the longest.
template <class Wire, class LengthOf, class PartOf>
void fill_all(const slots& out, std::size_t ranks, LengthOf length, PartOf part) {
  count_t most = 0;
  for (std::size_t i = 0; i < ranks; ++i)
    if (length(i) > most) most = length(i);
  const slot_units wanted =
      most > longest && !out.tell_lengths_only() ? cannot_tell : units_of<Wire>(most);
  for (std::size_t i = 0; i < ranks; ++i)
    out.fill<Wire>(i, length(i), wanted, length(i) > 0 ? part(i) : nullptr);
}

/// To each rank the length of what it gets from this one, and the payload if all are small. A rank
/// that failed tells `poison` to all.
template <class Wire, class LengthOf, class PartOf>
[[nodiscard]] outcome alltoall(learned& known, mpi::comm_handle comm, int size, LengthOf length,
                               PartOf part, count_t* lengths) {
  return run(known.alltoallv, [&](slot_units units) {
    const auto ranks = static_cast<std::size_t>(size);
    const slots out = open(known, units, 2 * ranks);
    const slots in(out.at(ranks), units);
    fill_all<Wire>(out, ranks, length, part);
    const auto bytes = static_cast<count_t>(in.size());
    const mpi::result<> code =
        mpi::nothrow::alltoall(out.at(0), bytes, mpi::byte, in.at(0), bytes, mpi::byte, comm);
    return exchanged(code, in, in.read(ranks, lengths));
  });
}

/// From the root to each rank the length of its part, and the part if all are small. Elsewhere
/// `length(i)` and `part(i)` are not called.
template <class Wire, class LengthOf, class PartOf>
[[nodiscard]] outcome scatter(learned& known, mpi::comm_handle comm, bool at_root, int root,
                              int size, LengthOf length, PartOf part, count_t& mine) {
  return run(known.scatterv, [&](slot_units units) {
    const auto ranks = static_cast<std::size_t>(at_root ? size : 0);
    const slots in = open(known, units, ranks + 1);
    const slots out(in.at(1), units);
    fill_all<Wire>(out, ranks, length, part);
    const auto bytes = static_cast<count_t>(in.size());
    const mpi::result<> code =
        mpi::nothrow::scatter(out.at(0), bytes, mpi::byte, in.at(0), bytes, mpi::byte, root, comm);
    return exchanged(code, in, in.read(1, &mine));
  });
}

}  // namespace mpiglot::detail::merged

// Counts and small payloads in one message: every rank sends a slot, a header and what fits behind
// it, and the slots of all have one size that all ranks know.
//
//   header   length in wire elements | class of slot that the sender would have needed
//   payload  the elements as they lie in memory, if they fit
//
// The largest class in the slots that a rank receives is the same on all ranks, because each
// operation's headers reach everybody: in allgatherv and bcast all see all slots; in alltoallv and
// scatterv a sender tells each receiver the class of its *largest* message. So all agree whether the
// payload was complete (else the textbook's second message follows, with the lengths known by now)
// and how large the next slots are. A gatherv has no such rule: what the others sent, a rank that is
// not the root does not learn. It keeps the textbook.

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

inline constexpr std::size_t header_size = 8;
inline constexpr slot_class impossible = 0xff;

[[nodiscard]] constexpr std::size_t size_of(slot_class c) noexcept { return std::size_t{1} << c; }

/// The smallest class whose slots take this payload.
[[nodiscard]] constexpr slot_class class_for(std::size_t payload) noexcept {
  return 64u - static_cast<slot_class>(__builtin_clzll(payload + header_size - 1));
}

template <class Wire>
[[nodiscard]] constexpr slot_class class_of(count_t length) noexcept {
  return length <= 0 ? header_only : class_for(static_cast<std::size_t>(length) * sizeof(Wire));
}

/// The first word of a slot.
class header {
 public:
  header() noexcept = default;
  header(count_t length, slot_class wanted) noexcept
      : word_((static_cast<std::uint64_t>(length) & mask) | std::uint64_t{wanted} << bits) {}

  [[nodiscard]] count_t length() const noexcept {
    return (word_ & mask) == mask ? poison : static_cast<count_t>(word_ & mask);
  }
  [[nodiscard]] slot_class wanted() const noexcept {
    return static_cast<slot_class>(word_ >> bits);
  }

  static header read(const std::byte* slot) noexcept {
    header found;
    std::memcpy(&found.word_, slot, header_size);
    return found;
  }
  void write(std::byte* slot) const noexcept { std::memcpy(slot, &word_, header_size); }

 private:
  static constexpr unsigned bits = 56;
  static constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint64_t word_ = 0;
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
  slots() noexcept = default;
  slots(std::byte* memory, slot_class size) noexcept : memory_(memory), size_(size) {}

  [[nodiscard]] std::byte* at(std::size_t i) const noexcept { return memory_ + (i << size_); }
  [[nodiscard]] count_t size() const noexcept { return static_cast<count_t>(size_of(size_)); }
  [[nodiscard]] header header_of(std::size_t i) const noexcept { return header::read(at(i)); }
  [[nodiscard]] const std::byte* payload(std::size_t i) const noexcept {
    return at(i) + header_size;
  }
  [[nodiscard]] bool take(slot_class wanted) const noexcept { return wanted <= size_; }

  /// Fills slot `i` with elements one after another, or with their length only.
  template <class Wire>
  void fill(std::size_t i, count_t length, slot_class wanted, const Wire* from) const noexcept {
    header(length, wanted).write(at(i));
    if (length > 0 && take(class_of<Wire>(length)))
      std::memcpy(at(i) + header_size, from, static_cast<std::size_t>(length) * sizeof(Wire));
  }

  /// The same with any memory that is lent. The largest class there is says that the elements cannot
  /// be copied.
  template <class Wire>
  void fill(std::size_t i, count_t length, const lent& from, mpi::comm_handle comm) const noexcept {
    slot_class wanted = class_of<Wire>(length);
    if (length > 0 && take(wanted) &&
        !pack_into<Wire>(at(i) + header_size, from, length, comm)) [[unlikely]]
      wanted = impossible;
    header(length, wanted).write(at(i));
  }

  /// Reads the lengths in `count` slots; the largest class that a sender wanted.
  template <class Length>
  [[nodiscard]] slot_class read(std::size_t count, Length* lengths) const noexcept {
    slot_class largest = header_only;
    for (std::size_t i = 0; i < count; ++i) {
      const header told = header_of(i);
      lengths[i] = static_cast<Length>(told.length());
      if (told.wanted() > largest) largest = told.wanted();
    }
    return largest;
  }

 private:
  std::byte* memory_ = nullptr;
  slot_class size_ = header_only;
};

[[nodiscard]] inline slots open(learned& known, const learned_class& kind, std::size_t count) {
  const slot_class size = kind.next();
  if (known.slots.size() < count << size) [[unlikely]] known.slots.resize(count << size);
  return {known.slots.data(), size};
}

/// What an exchange gives: MPI's code, whether the payloads came along, and the slots they are in.
struct outcome {
  mpi::result<> code;
  bool complete;
  slots received;
};

/// Everybody's length, and payload if all are small, to everybody. A rank that failed tells `poison`.
template <class Wire>
[[nodiscard]] outcome allgather(learned& known, mpi::comm_handle comm, int rank, int size,
                                count_t length, const lent& out, count_t* lengths) {
  const auto ranks = static_cast<std::size_t>(size);
  const slots all = open(known, known.allgatherv, ranks);
  all.fill<Wire>(static_cast<std::size_t>(rank), length, out, comm);
  const mpi::result<> code = mpi::nothrow::allgather(mpi::in_place, 0, mpi::byte, all.at(0),
                                                     all.size(), mpi::byte, comm);
  if (!code.ok()) [[unlikely]] return {code, false, all};
  const slot_class wanted = all.read(ranks, lengths);
  known.allgatherv.learn(wanted);
  return {code, all.take(wanted), all};
}

/// The root's length, and payload if it is small, to everybody.
template <class Wire>
[[nodiscard]] outcome bcast(learned& known, mpi::comm_handle comm, bool at_root, int root,
                            count_t& length, const lent& out) {
  const slots one = open(known, known.bcast, 1);
  if (at_root) one.fill<Wire>(0, length, out, comm);
  const mpi::result<> code = mpi::nothrow::bcast(one.at(0), one.size(), mpi::byte, root, comm);
  if (!code.ok()) [[unlikely]] return {code, false, one};
  const slot_class wanted = one.read(1, &length);
  known.bcast.learn(wanted);
  return {code, one.take(wanted), one};
}

/// To each rank the length of what it gets from this one, and the payload if all are small.
/// `length(i)` and `part(i)`: elements for rank i, and where they are. A rank that failed tells
/// `poison` to all.
template <class Wire, class LengthOf, class PartOf>
[[nodiscard]] outcome alltoall(learned& known, mpi::comm_handle comm, int size, LengthOf length,
                               PartOf part, count_t* lengths) {
  const auto ranks = static_cast<std::size_t>(size);
  const slots out = open(known, known.alltoallv, 2 * ranks);
  const slots in(out.at(ranks), known.alltoallv.next());
  count_t longest = 0;
  for (std::size_t i = 0; i < ranks; ++i)
    if (length(i) > longest) longest = length(i);
  const slot_class mine = class_of<Wire>(longest);
  for (std::size_t i = 0; i < ranks; ++i)
    out.fill<Wire>(i, length(i), mine, length(i) > 0 ? part(i) : nullptr);
  const mpi::result<> code = mpi::nothrow::alltoall(out.at(0), out.size(), mpi::byte, in.at(0),
                                                    in.size(), mpi::byte, comm);
  if (!code.ok()) [[unlikely]] return {code, false, in};
  const slot_class wanted = in.read(ranks, lengths);
  known.alltoallv.learn(wanted);
  return {code, in.take(wanted), in};
}

/// From the root to each rank the length of its part, and the part if all are small. Elsewhere
/// `length(i)` and `part(i)` are not called.
template <class Wire, class LengthOf, class PartOf>
[[nodiscard]] outcome scatter(learned& known, mpi::comm_handle comm, bool at_root, int root,
                              int size, LengthOf length, PartOf part, count_t& mine) {
  const auto ranks = static_cast<std::size_t>(at_root ? size : 0);
  const slots in = open(known, known.scatterv, ranks + 1);
  const slots out(in.at(1), known.scatterv.next());
  if (at_root) {
    count_t longest = 0;
    for (std::size_t i = 0; i < ranks; ++i)
      if (length(i) > longest) longest = length(i);
    const slot_class largest = class_of<Wire>(longest);
    for (std::size_t i = 0; i < ranks; ++i)
      out.fill<Wire>(i, length(i), largest, length(i) > 0 ? part(i) : nullptr);
  }
  const mpi::result<> code = mpi::nothrow::scatter(out.at(0), out.size(), mpi::byte, in.at(0),
                                                   in.size(), mpi::byte, root, comm);
  if (!code.ok()) [[unlikely]] return {code, false, in};
  const slot_class wanted = in.read(1, &mine);
  known.scatterv.learn(wanted);
  return {code, in.take(wanted), in};
}

}  // namespace mpiglot::detail::merged

// A bcast of bytes whose number only the root knows, written and read where they are sent from and
// received into: what as_serialized and deep need.
//
//   mark     4 bytes, which tell it from data (base/marks.hpp), and whether pieces or long runs follow
//   length   one byte below 252, or one that says what follows it
//   payload  all of it, or its beginning and the rest in a second message
//
// No size of slot is told (slots.hpp), since all ranks can tell from the length which one it asks
// for.

#pragma once

#include <mpiglot/detail/codec/piece_size.hpp>
#include <mpiglot/detail/merged/bcast.hpp>

namespace mpiglot::detail::merged {

inline constexpr count_t told_in_a_byte = 252;
inline constexpr std::byte failed_length{252};
inline constexpr std::byte short_length{253};  // 2 bytes of length follow
inline constexpr std::byte long_length{254};   // 7 bytes
inline constexpr std::size_t mark_room = sizeof(slot_mark);
inline constexpr std::size_t length_room = mark_room + sizeof(std::uint64_t);
/// The slot for payloads past the limit. What of them begins in it makes up for what encoding adds,
/// so that none leaves the fast path by it.
inline constexpr slot_units beginning_only = merge_limits::bcast_beginning / slot_unit;

/// The size of slot that takes a length and its payload.
[[nodiscard]] constexpr slot_units units_for_bytes(count_t length) noexcept {
  if (length <= 0) return lengths_only;
  if (length > count_t{largest_slot * slot_unit}) return too_large;
  const count_t size = count_t{mark_room} + length + (length < told_in_a_byte ? 1 : 3);
  const auto units = static_cast<slot_units>((size + count_t{slot_unit} - 1) / count_t{slot_unit});
  constexpr auto least = static_cast<slot_units>(length_room / slot_unit);
  return units < least ? least : units < too_large ? units : too_large;
}

/// What follows the bytes, in messages of its own.
struct following {
  bool runs;
  bool pieces;
};
[[nodiscard]] constexpr std::uint32_t mark_of(following what) noexcept {
  const auto bit = [](bool is, slot_mark mark) {
    return is ? static_cast<std::uint32_t>(mark) : std::uint32_t{0};
  };
  return static_cast<std::uint32_t>(slot_mark::encoded_bytes) |
         bit(what.runs, slot_mark::runs_follow) | bit(what.pieces, slot_mark::pieces_follow);
}
[[nodiscard]] constexpr bool is_mark(std::uint32_t mark) noexcept {
  return (mark & ~mark_of({true, true})) == 0 && (mark & mark_of({})) == mark_of({});
}

/// Writes a mark and a length that ends at `end`; gives their beginning.
[[nodiscard]] inline std::byte* write_length(std::byte* end, count_t length, bool alone,
                                             std::uint32_t mark) noexcept {
  if (!alone && length < told_in_a_byte) {
    *--end = length < 0 ? failed_length : static_cast<std::byte>(length);
  } else {
    const std::uint64_t word = static_cast<std::uint64_t>(length) << 8 |
                               static_cast<std::uint64_t>(alone ? long_length : short_length);
    const std::size_t size = alone ? sizeof word : 3;
    end -= size;
    std::memcpy(end, &word, size);
  }
  end -= mark_room;
  std::memcpy(end, &mark, mark_room);
  return end;
}

struct told_length {
  count_t length;
  std::size_t size;  // bytes that it and its mark take
  following follow;
};
/// Throws `count_error` if there is no mark.
[[nodiscard]] inline told_length read_length(const std::byte* from) {
  std::uint32_t mark = 0;
  std::memcpy(&mark, from, mark_room);
  if (!is_mark(mark)) [[unlikely]]
    refuse_unmarked();
  const following follow{(mark & static_cast<std::uint32_t>(slot_mark::runs_follow)) != 0,
                         (mark & static_cast<std::uint32_t>(slot_mark::pieces_follow)) != 0};
  from += mark_room;
  if (*from < failed_length) [[likely]]
    return {static_cast<count_t>(*from), mark_room + 1, follow};
  if (*from == failed_length) return {poison, mark_room + 1, {}};
  std::uint64_t word = 0;
  const std::size_t size = *from == short_length ? 3 : sizeof word;
  std::memcpy(&word, from, size);
  return {static_cast<count_t>(word >> 8), mark_room + size, follow};
}

struct told_bytes {
  int code;
  count_t length;
  const std::byte* payload;
  following follow;
};

/// `message` holds the root's bytes behind `length_room`, elsewhere it only gives its memory: that of a
/// piece at least, if pieces follow. A root that failed tells `poison`. What follows, the others are told.
[[nodiscard, gnu::noinline]] inline told_bytes bcast_bytes(learned_size& kind,
                                                           mpi::comm_handle comm, bool at_root,
                                                           int root, bytes& message, bool failed,
                                                           following what) {
  const slot_units units = kind.next() == lengths_only ? beginning_only : kind.next();
  const std::size_t slot = units * slot_unit;
  count_t mine = poison;
  if (at_root && !failed) mine = static_cast<count_t>(message.size() - length_room);
  if (message.size() < length_room + slot) message.resize_to_take_part(length_room + slot);
  std::byte* start = message.data();
  if (at_root) {
    const slot_units wanted = units_for_bytes(mine);
    start = write_length(start + length_room, mine, wanted > units && !begins(units, wanted),
                         mark_of(what));
  } else {
    std::memcpy(start, &nothing_arrived, mark_room);  // less than that may arrive
  }
  int code = MPIGLOT_WAITING(MPI_Bcast)(start, static_cast<int>(slot), MPI_BYTE, root, comm.native);
  if (code != MPI_SUCCESS) [[unlikely]] {
    std::uint32_t mark = 0;
    std::memcpy(&mark, start, mark_room);
    refuse_data(code, mark != nothing_arrived && !is_mark(mark));
    return {code, 0, nullptr, {}};
  }

  const auto [length, size, follow] = read_length(start);
  const slot_units wanted = units_for_bytes(length);
  kind.learn(wanted);
  const std::size_t all = length < 0 ? 0 : static_cast<std::size_t>(length);
  if (!at_root && (wanted > units || follow.pieces)) [[unlikely]] {
    const std::size_t least =
        follow.pieces && all < usual_pieces.others ? usual_pieces.others : all;
    if (message.size() < size + least) message.resize_to_take_part(size + least);
    start = message.data();
  }
  if (wanted > units) [[unlikely]] {
    const std::size_t begun = slot - size;
    code = mpi::calls::bcast::now(start + size + begun, static_cast<count_t>(all - begun),
                                  mpi::datatype_handle{MPI_BYTE}, root, comm);
  }
  return {code, length, start + size, follow};
}

}  // namespace mpiglot::detail::merged

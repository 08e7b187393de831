// The header of a slot (slots.hpp), and how a rank that expects data finds one in its place.

#pragma once

#include <cstring>

#include <mpiglot/detail/base/marks.hpp>
#include <mpiglot/detail/merged/learned.hpp>

namespace mpiglot::detail::merged {

inline constexpr slot_units too_large = largest_slot + 1;    // for any slot
inline constexpr slot_units cannot_tell = largest_slot + 2;  // neither payload nor length
inline constexpr mpi::count_t longest = 0xffffffff;          // that a small header tells

/// The smallest slot that takes this payload.
[[nodiscard]] constexpr slot_units units_for(std::size_t payload) noexcept {
  const std::size_t units = (slot_header + payload + slot_unit - 1) / slot_unit;
  return units < too_large ? static_cast<slot_units>(units) : too_large;
}

/// The beginning of a slot. Where there are only lengths, all 8 bytes of one follow.
struct header {
  std::uint32_t told;  // the mark, whether the rank failed, and the size asked for
  std::uint32_t length;
};
static_assert(sizeof(header) == slot_header);

/// Whether what the root tells arrived where no more than `most` elements of `width` bytes were expected: a
/// mark with a length that is not above `most`, and in a slot the size that it asks for. Data is that by chance
/// in one of 2^63 / `most` cases. Then `told_a_length`.
[[nodiscard, gnu::cold, gnu::noinline]] inline int look_for_length(const void* memory,
                                                                   std::size_t most,
                                                                   std::size_t width,
                                                                   slot_mark mark) noexcept {
  header one;
  if (most * width < sizeof one) return MPI_SUCCESS;
  std::memcpy(&one, memory, sizeof one);
  const slot_units asked = one.told ^ static_cast<std::uint32_t>(mark);
  const bool in_slot = one.length <= most && one.length != 0 &&
                       (asked == units_for(one.length * width) || asked == too_large);
  mpi::count_t word = 0;
  std::memcpy(&word, memory, sizeof word);
  const mpi::count_t alone = without_mark(mark_first(word));
  const bool is_alone = alone > 0 && static_cast<std::size_t>(alone) <= most;
  return in_slot || is_alone ? told_a_length : MPI_SUCCESS;
}
/// Throws then.
template <class Wire>
[[gnu::always_inline]] inline void require_data(const void* memory, mpi::count_t length,
                                                slot_mark mark) {
  if (static_cast<std::size_t>(length) >= reach_of_marks<Wire> && begins_with_mark(memory))
      [[unlikely]]
    if (look_for_length(memory, static_cast<std::size_t>(length), sizeof(Wire), mark) !=
        MPI_SUCCESS)
      refuse_unmarked();
}

}  // namespace mpiglot::detail::merged

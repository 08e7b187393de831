// Bodies of detail/arguments/parts_in.hpp.

#pragma once

#include <cstdint>

#include <mpiglot/detail/arguments/parts_in.hpp>

namespace mpiglot::detail {

/// What is wrong with parts, if anything, in the highest bit of each element: a count that is negative or beyond the
/// room, or the place of a part that has elements if it is negative or leaves too little. `empty`: all bits of parts
/// without elements. `Lanes`: several numbers, or one.
template <class Lanes>
[[nodiscard, gnu::always_inline]] inline Lanes wrong_in(Lanes count, Lanes place, Lanes room,
                                                        Lanes empty) noexcept {
  const Lanes left = room - count;
  return count | left | (~empty & (place | (left - place)));
}

[[gnu::noinline]] MPIGLOT_INLINE bool parts_lie_in(const int* counts, const int* places,
                                                   std::size_t parts, std::size_t room) noexcept {
  using lanes [[gnu::vector_size(16)]] = std::uint32_t;
  using halves [[gnu::vector_size(16)]] = std::uint64_t;
  const auto most = static_cast<std::uint32_t>(room > INT32_MAX ? INT32_MAX : room);
  const lanes all_of_it = {most, most, most, most};
  lanes wrong = {};
  std::size_t i = 0;
  for (; i + 4 <= parts; i += 4) {
    lanes count, place;
    __builtin_memcpy(&count, counts + i, sizeof count);
    __builtin_memcpy(&place, places + i, sizeof place);
    wrong |= wrong_in(count, place, all_of_it, reinterpret_cast<lanes>(count == lanes{}));
  }
  const auto both = reinterpret_cast<halves>(wrong);
  const std::uint64_t any = both[0] | both[1];
  auto rest = static_cast<std::uint32_t>(any | any >> 32);
  for (; i < parts; ++i) {
    const auto count = static_cast<std::uint32_t>(counts[i]);
    rest |= wrong_in(count, static_cast<std::uint32_t>(places[i]), most, count == 0 ? ~0U : 0U);
  }
  return static_cast<std::int32_t>(rest) >= 0;
}

}  // namespace mpiglot::detail

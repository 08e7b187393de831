// The memory of an encoding that was sent or received, kept for the next one: growing from nothing takes
// fresh pages each time.

#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include <mpiglot/detail/base/storage.hpp>

namespace mpiglot::detail {

/// What the process keeps at most, in one block. Larger blocks are freed, and ones that are smaller than
/// `least_encoding_kept`, too.
inline constexpr std::size_t most_encoding_kept = std::size_t{4} << 20;
inline constexpr std::size_t least_encoding_kept = 4096;

/// Gives the memory that is kept to a block that has none, if there are `least` bytes. Whoever comes
/// meanwhile finds none.
inline void take_kept_encoding(bytes& to, std::size_t least = 0) noexcept {
  if (to.room() != 0 || least > most_encoding_kept) return;
  void* const memory = __atomic_exchange_n(&kept_encoding, nullptr, __ATOMIC_ACQ_REL);
  if (memory == nullptr) return;
  std::size_t room = 0;
  std::memcpy(&room, memory, sizeof room);
  if (room >= least)
    to.adopt(memory, room);
  else
    std::free(memory);
}
/// Keeps the memory of a block, which then has none.
inline void keep_encoding(bytes& from) noexcept {
  const std::size_t room = from.room();
  if (room < least_encoding_kept || room > most_encoding_kept) return;
  void* const memory = from.release();
  std::memcpy(memory, &room, sizeof room);
  std::free(__atomic_exchange_n(&kept_encoding, memory, __ATOMIC_ACQ_REL));
}

/// Bytes whose memory is kept at their end.
class kept_bytes : public bytes {
 public:
  kept_bytes() noexcept = default;
  kept_bytes(kept_bytes&&) noexcept = default;
  kept_bytes& operator=(kept_bytes&&) noexcept = default;
  ~kept_bytes() { keep_encoding(*this); }
};

}  // namespace mpiglot::detail

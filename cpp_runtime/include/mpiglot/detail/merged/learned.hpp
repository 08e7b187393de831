// What operations learn about a communicator and all ranks know alike. It hangs on the MPI_Comm,
// not on a wrapper (cached_on.hpp).

#pragma once

#include <cstdint>

#include <mpiglot/detail/merged/limits.hpp>
#include <mpiglot/detail/base/cached.hpp>
#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/error.hpp>

namespace mpiglot::detail {

/// The size of a slot in units of 4 bytes, the first two of which are its header. Slots without room
/// for a payload are `lengths_only`: 16 bytes, so that any length can be told.
using slot_units = unsigned;
inline constexpr slot_units lengths_only = 0;
inline constexpr std::size_t slot_unit = 4;
inline constexpr std::size_t slot_header = 2 * slot_unit;
inline constexpr slot_units largest_slot = 253;

/// The size of the slots that one kind of operation uses next. Only changed by what all ranks of a
/// communicator have seen.
class learned_size {
 public:
  /// Past `limit` and up to `in_two`, a message takes a slot of `limit` and another message.
  explicit learned_size(slot_units limit, slot_units in_two = 0) noexcept
      : limit_(static_cast<std::uint8_t>(limit)),
        in_two_(static_cast<std::uint8_t>(in_two > limit ? in_two : limit)),
        next_(static_cast<std::uint8_t>(limit < first ? limit : first)) {}

  [[nodiscard]] slot_units next() const noexcept { return next_; }

  /// `wanted`: what the largest message of the last call would have needed. Grows at once; shrinks,
  /// to the largest of them, after some calls in a row that needed less, so that lengths which vary
  /// stay in one message.
  void learn(slot_units wanted) noexcept {
    if (wanted == next_) [[likely]] {
      calls_ = largest_ = 0;
    } else if (wanted > next_) {
      next_ = wanted <= limit_    ? static_cast<std::uint8_t>(wanted)
              : wanted <= in_two_ ? limit_
                                  : static_cast<std::uint8_t>(lengths_only);
      calls_ = largest_ = 0;
    } else {
      if (wanted > largest_) largest_ = static_cast<std::uint8_t>(wanted);
      if (++calls_ == patience) {
        next_ = largest_;
        calls_ = largest_ = 0;
      }
    }
  }

 private:
  static constexpr slot_units first = 16;
  static constexpr std::uint8_t patience = 8;

  std::uint8_t limit_;
  std::uint8_t in_two_;
  std::uint8_t next_;
  std::uint8_t calls_ = 0;    // in a row that needed less
  std::uint8_t largest_ = 0;  // of those
};

/// What is learned about one communicator. MPI allows one collective at a time on it, so that
/// nothing here is used by two threads at once.
struct learned {
  explicit learned(mpi::comm_handle comm) : learned(ranks_of(comm)) {}
  explicit learned(int ranks) noexcept
      : bcast(limit(merge_limits::bcast, 1), merge_limits::bcast_in_two / slot_unit),
        allgatherv(limit(merge_limits::allgatherv, ranks)),
        alltoallv(limit(merge_limits::alltoallv, ranks)),
        scatterv(limit(merge_limits::scatterv, ranks, merge_limits::together_from_root)) {}

  learned_size bcast;
  learned_size allgatherv;
  learned_size alltoallv;
  learned_size scatterv;
  bytes slots;  // kept from call to call

  /// Takes memory back that was used for slots, unless it has grown much.
  void keep(bytes&& memory) noexcept {
    if (memory.room() <= merge_limits::together) slots = static_cast<bytes&&>(memory);
  }

 private:
  static int ranks_of(mpi::comm_handle comm) {
    int size = 0;
    mpi::detail::check(MPIGLOT_MPI(MPI_Comm_size)(comm.native, &size), "MPI_Comm_size");
    return size;
  }
  // Slots are no larger than `largest`, and all of them than `together`.
  static slot_units limit(std::size_t largest, int slots,
                          std::size_t together = merge_limits::together) noexcept {
    const std::size_t share = together / static_cast<std::size_t>(slots);
    const std::size_t size = share < largest ? share : largest;
    const std::size_t units = size / slot_unit;
    if (units * slot_unit <= slot_header) return lengths_only;
    return units < largest_slot ? static_cast<slot_units>(units) : largest_slot;
  }
};

/// What is known about a communicator; made at its first use, freed with the communicator. Costs
/// an attribute look-up.
[[nodiscard]] learned& learned_of(mpi::comm_handle comm);

}  // namespace mpiglot::detail

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

  /// `wanted`: what the largest message of the last call would have needed. A call that has used its
  /// slot exactly costs one instruction beside the comparison.
  void learn(slot_units wanted) noexcept {
    history_ = static_cast<std::uint16_t>(history_ << bits_of_call);  // `fitted`
    if (wanted != next_) [[unlikely]]
      change(wanted);
  }

  /// The next call tells lengths only.
  void leave() noexcept { next_ = lengths_only; }

 private:
  /// What `history_` says of a call.
  enum call : unsigned { fitted = 0, needed_less = 1, grew = 2, went_over = 3 };
  static constexpr unsigned bits_of_call = 2;
  static constexpr unsigned low_bits = 0x5555;  // of each of eight calls
  static constexpr unsigned high_bits = 0xaaaa;
  static constexpr slot_units first = 16;

  /// Grows at once, to the size that was wanted; if it has grown within eight calls, to half as much
  /// again. Shrinks after eight calls in a row that needed less, to the largest of them, so that lengths
  /// which vary stay in one message; if the last of them needed most, lengths grow.
  [[gnu::noinline]] void change(slot_units wanted) noexcept {
    if (wanted > next_) {
      const bool again = has_grown();
      history_ |= wanted > in_two_ ? went_over : grew;
      if (hardly_fits())
        next_ = lengths_only;
      else if (wanted <= in_two_)
        next_ = size_for(wanted, again);
      return;
    }
    if ((history_ >> bits_of_call & went_over) != needed_less) largest_ = 0;
    const bool rises = wanted > largest_;
    if (rises) largest_ = static_cast<std::uint8_t>(wanted);
    history_ |= needed_less;
    if (history_ != low_bits) return;
    next_ = size_for(largest_, rises);
    history_ = rises ? grew : fitted;
  }

  [[nodiscard]] std::uint8_t size_for(slot_units wanted, bool grows) const noexcept {
    const slot_units size = grows ? wanted + wanted / 2 : wanted;
    return size < limit_ ? static_cast<std::uint8_t>(size) : limit_;
  }
  [[nodiscard]] bool has_grown() const noexcept {
    return (history_ & high_bits & ~(unsigned{history_} << 1)) != 0;
  }
  /// True if at least six of the last eight calls went over the limit: slots would be sent for nothing.
  [[nodiscard]] bool hardly_fits() const noexcept {
    unsigned others = low_bits & ~(unsigned{history_} & unsigned{history_} >> 1);
    others &= others - 1;
    others &= others - 1;
    return others == 0;
  }

  std::uint8_t limit_;
  std::uint8_t in_two_;
  std::uint8_t next_;
  std::uint8_t largest_ = 0;   // of the calls in a row that needed less
  std::uint16_t history_ = 0;  // the last eight calls, the latest in the lowest bits
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

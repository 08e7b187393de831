// What operations learn about a communicator and all its ranks know alike.
//
// It hangs on the MPI_Comm as an attribute, not on a wrapper: a raw communicator that one rank wraps
// anew must not forget what the others remember. A duplicate starts anew, on all ranks.

#pragma once

#include <cstdint>

#include <mpiglot/detail/merge_limits.hpp>
#include <mpiglot/detail/storage.hpp>
#include <mpiglot/mpi/attributes.hpp>
#include <mpiglot/mpi/groups.hpp>

namespace mpiglot::detail {

/// The size of a slot in units of 4 bytes, the first of which is its header. Slots without room for
/// a payload are `lengths_only`: 8 bytes, so that any length can be told.
using slot_units = unsigned;
inline constexpr slot_units lengths_only = 0;
inline constexpr std::size_t slot_unit = 4;
inline constexpr slot_units largest_slot = 253;

/// The size of the slots that one kind of operation uses next. Only changed by what all ranks of the
/// communicator have seen.
class learned_size {
 public:
  explicit learned_size(slot_units limit) noexcept
      : limit_(static_cast<std::uint8_t>(limit)),
        next_(static_cast<std::uint8_t>(limit < first ? limit : first)) {}

  [[nodiscard]] slot_units next() const noexcept { return next_; }

  /// `wanted`: what the largest message of the last call would have needed. Grows at once; shrinks,
  /// to the largest of them, after some calls in a row that needed less, so that lengths which vary
  /// stay in one message.
  void learn(slot_units wanted) noexcept {
    if (wanted == next_) [[likely]] {
      calls_ = largest_ = 0;
    } else if (wanted > next_) {
      next_ = static_cast<std::uint8_t>(wanted > limit_ ? lengths_only : wanted);
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
  std::uint8_t next_;
  std::uint8_t calls_ = 0;    // in a row that needed less
  std::uint8_t largest_ = 0;  // of those
};

/// What is learned about one communicator. MPI allows one collective at a time on it, so that
/// nothing here is used by two threads at once.
struct learned {
  /// `ranks` of 0: no length is ever known to all (intercommunicators).
  explicit learned(int ranks) noexcept
      : bcast(limit(merge_limits::bcast, 1, ranks)),
        allgatherv(limit(merge_limits::allgatherv, ranks, ranks)),
        alltoallv(limit(merge_limits::alltoallv, ranks, ranks)),
        scatterv(limit(merge_limits::scatterv, ranks, ranks)) {}

  learned_size bcast;
  learned_size allgatherv;
  learned_size alltoallv;
  learned_size scatterv;
  bytes slots;  // kept from call to call

 private:
  // Slots are no larger than `largest`, and all of them together than `merge_limits::together`.
  static slot_units limit(std::size_t largest, int slots, int ranks) noexcept {
    if (ranks == 0) return lengths_only;
    const std::size_t share = merge_limits::together / static_cast<std::size_t>(slots);
    const std::size_t size = share < largest ? share : largest;
    const std::size_t units = size / slot_unit;
    if (units < 2) return lengths_only;
    return units < largest_slot ? static_cast<slot_units>(units) : largest_slot;
  }
};

/// The attribute's key, made for the first communicator and freed with the last, so that MPI can be
/// finalized and initialised again (sessions). One atomic word says how many communicators hold it:
/// no lock is held while MPI is called, and a key is only freed when nobody can be using it.
class learned_key {
 public:
  /// Counts one more holder. Throws `mpi::error`.
  [[nodiscard]] static int hold() {
    std::uint64_t seen = __atomic_load_n(&word, __ATOMIC_ACQUIRE);
    while (holders(seen) != 0)
      if (swap(seen, seen + 1)) return key(seen);
    int made = MPI_KEYVAL_INVALID;
    mpi::detail::check(
        MPIGLOT_MPI(MPI_Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, &drop, &made, nullptr),
        "MPI_Comm_create_keyval");
    const std::uint64_t mine = std::uint64_t{static_cast<std::uint32_t>(made)} << 32 | 1;
    for (;;) {
      if (holders(seen) == 0) {
        if (swap(seen, mine)) return made;
      } else if (swap(seen, seen + 1)) {  // another thread was faster
        MPIGLOT_MPI(MPI_Comm_free_keyval)(&made);
        return key(seen);
      }
    }
  }

  static void release() noexcept {
    std::uint64_t seen = __atomic_load_n(&word, __ATOMIC_ACQUIRE);
    while (!swap(seen, holders(seen) == 1 ? 0 : seen - 1)) {
    }
    if (holders(seen) != 1) return;
    int last = key(seen);
    MPIGLOT_MPI(MPI_Comm_free_keyval)(&last);
  }

 private:
  static inline constinit std::uint64_t word = 0;  // key in the upper half, holders in the lower

  [[nodiscard]] static std::uint32_t holders(std::uint64_t seen) noexcept {
    return static_cast<std::uint32_t>(seen);
  }
  [[nodiscard]] static int key(std::uint64_t seen) noexcept { return static_cast<int>(seen >> 32); }
  [[nodiscard]] static bool swap(std::uint64_t& seen, std::uint64_t wanted) noexcept {
    return __atomic_compare_exchange_n(&word, &seen, wanted, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE);
  }

  static int drop(MPI_Comm, int, void* value, void*) {
    delete static_cast<learned*>(value);
    release();
    return MPI_SUCCESS;
  }
};

/// What is known about a communicator; made at its first use, freed with the communicator. Costs
/// an attribute look-up.
[[nodiscard, gnu::noinline]] inline learned& learned_of(mpi::comm_handle comm) {
  struct holding {
    int key = learned_key::hold();
    bool kept = false;
    ~holding() {
      if (!kept) learned_key::release();
    }
  } holder;
  if (const auto found = mpi::comm_get_attr(comm, holder.key))
    return *static_cast<learned*>(*found);
  auto* const made = new learned(mpi::comm_test_inter(comm) ? 0 : mpi::comm_size(comm));
  const int code =
      MPIGLOT_MPI(MPI_Comm_set_attr)(comm.native, holder.key, static_cast<void*>(made));
  if (code != MPI_SUCCESS) [[unlikely]] delete made;
  mpi::detail::check(code, "MPI_Comm_set_attr");
  holder.kept = true;
  return *made;
}

}  // namespace mpiglot::detail

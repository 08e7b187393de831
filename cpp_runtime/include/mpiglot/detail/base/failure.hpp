// What goes wrong on one rank of a collective waits until the last MPI call is done: this rank
// takes part in every call, and throws afterwards. While nothing fails it costs a null pointer.

#pragma once

#include <cstdint>
#include <exception>
#include <new>
#include <utility>

#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/error.hpp>
#include <mpiglot/mpi/handles.hpp>

namespace mpiglot::detail {

/// A datatype of elements of `type` that all lie in one place: its extent is 0.
[[nodiscard, gnu::cold]] mpi::datatype_handle in_one_place(mpi::datatype_handle type);
[[gnu::cold]] void free_in_one_place(mpi::datatype_handle type) noexcept;

/// Memory and the datatype of an element in it.
struct loan {
  std::byte* address;
  mpi::datatype_handle type;
};

/// The first failure of an operation on this rank, kept until it may be thrown.
class kept_failure {
  struct record;

 public:
  static constexpr bool possible = true;

  kept_failure() noexcept = default;
  kept_failure(kept_failure&& other) noexcept : kept_(std::exchange(other.kept_, nullptr)) {}
  kept_failure& operator=(kept_failure&&) = delete;
  ~kept_failure() {
    if (kept_ != nullptr) [[unlikely]]
      forget(kept_);
  }

  [[nodiscard]] bool any() const noexcept { return kept_ != nullptr; }

  /// Whether `action` went well. Without exceptions a failure ends the job.
  template <class Action>
  bool attempt(Action action) {
#if defined(__cpp_exceptions)
    try {
      action();
    } catch (...) {
      kept_ = keep(kept_);
      return false;
    }
#else
    action();
#endif
    return true;
  }

  /// Memory that takes what arrives for a buffer without room: `n` elements of `size` bytes.
  /// Without so much memory it is one element, and a datatype that puts all of them there.
  [[gnu::always_inline]] void make_scratch(std::size_t n, std::size_t size,
                                           mpi::datatype_handle type) {
    fill(kept_->scratch, n, size, type, 0);
  }
  /// The same for what MPI reads again, to pass it on or to combine it. Throws without memory.
  [[gnu::always_inline]] void make_whole_scratch(std::size_t n, std::size_t size) {
    fill_whole(kept_->scratch, n, size);
  }
  [[nodiscard]] std::byte* scratch() const noexcept { return kept_->scratch.memory.data(); }
  [[nodiscard]] mpi::datatype_handle scratch_type(mpi::datatype_handle otherwise) const noexcept {
    return kept_->scratch.type_or(otherwise);
  }

  /// What is sent where the others count on so many elements: bytes of `value`.
  [[nodiscard, gnu::always_inline]] loan stand_in(std::size_t n, std::size_t size,
                                                  mpi::datatype_handle type, int value = 0) {
    return lend(kept_, n, size, type, value);
  }
  /// The same for MPI's reductions, which take no other datatype. Throws without memory.
  [[nodiscard, gnu::always_inline]] std::byte* whole_stand_in(std::size_t n, std::size_t size) {
    return lend_whole(kept_, n, size);
  }

  /// A copy of `counts` in which number `own` is `length`.
  template <class Integer>
  [[nodiscard]] const Integer* with_own(const Integer* counts, std::size_t size, std::size_t own,
                                        Integer length) {
    auto* const copy = static_cast<Integer*>(copied(kept_, counts, size * sizeof(Integer)));
    copy[own] = length;
    return copy;
  }

  void rethrow() {
    if (kept_ != nullptr) [[unlikely]]
      throw_kept(std::exchange(kept_, nullptr));
  }

#if defined(__cpp_exceptions)
  /// What is being thrown, and memory for `n` elements of `size` bytes in place of room that this rank lacks. It
  /// has no value until there is a failure, and must be thrown then.
  class parked {
   public:
    [[nodiscard]] std::byte* scratch() const noexcept { return kept_->scratch.memory.data(); }
    [[noreturn]] void rethrow() const { throw_kept(kept_); }

   private:
    friend class kept_failure;
    record* kept_;
  };
  [[nodiscard, gnu::cold]] static parked park(mpi::count_t n, std::size_t size);
#endif

 private:
  struct spare {
    bytes memory;
    mpi::datatype_handle type;  // of elements that all lie in one place, where memory is short

    spare() noexcept = default;
    spare(const spare&) = delete;
    spare& operator=(const spare&) = delete;
    ~spare() {
      if (type) [[unlikely]]
        free_in_one_place(type);
    }
    [[nodiscard]] mpi::datatype_handle type_or(mpi::datatype_handle otherwise) const noexcept {
      return type ? type : otherwise;
    }
  };
  struct record {
    std::exception_ptr error;
    spare scratch;
    spare sent;
    bytes counts;
  };

  // These take and give the pointer, not this object: a compiler then keeps the state around it in
  // registers, since nobody else has its address.
  [[gnu::cold]] static void forget(record* kept) noexcept;
  // For what fails where there is no memory for a record either. If it is taken, the failure ends the job: the
  // other ranks would wait.
  static record* spare_record() noexcept;
  [[gnu::cold]] static void fill(spare& to, std::size_t n, std::size_t size,
                                 mpi::datatype_handle type, int value);
  [[nodiscard, gnu::cold]] static loan lend(record* kept, std::size_t n, std::size_t size,
                                            mpi::datatype_handle type, int value);
  [[nodiscard, gnu::cold]] static std::byte* lend_whole(record* kept, std::size_t n,
                                                        std::size_t size);
  [[gnu::cold]] static void fill_whole(spare& to, std::size_t n, std::size_t size);
  [[nodiscard, gnu::cold]] static void* copied(record* kept, const void* from, std::size_t size);
  [[nodiscard, gnu::cold]] static record* keep(record* kept);
#if defined(__cpp_exceptions)
  [[noreturn, gnu::cold]] static void throw_kept(record* kept);
#else
  static void throw_kept(record* /*kept*/) {}  // nothing is kept
#endif

  alignas(record) static inline std::byte spare_memory[sizeof(record)];
  static inline constinit bool spare_taken = false;

  record* kept_ = nullptr;
};

/// Where nobody waits for this rank, or nothing can fail but memory that runs out: what fails is
/// thrown at once.
struct fails_at_once {
  static constexpr bool possible = false;

  [[nodiscard]] static constexpr bool any() noexcept { return false; }
  static void make_scratch(std::size_t, std::size_t, mpi::datatype_handle) noexcept {}
  static void make_whole_scratch(std::size_t, std::size_t) noexcept {}
  [[nodiscard]] static std::byte* scratch() noexcept { return nullptr; }
  [[nodiscard]] static mpi::datatype_handle scratch_type(mpi::datatype_handle type) noexcept {
    return type;
  }
  [[nodiscard]] static loan stand_in(std::size_t, std::size_t, mpi::datatype_handle type,
                                     int = 0) noexcept {
    return {nullptr, type};
  }
  [[nodiscard]] static std::byte* whole_stand_in(std::size_t, std::size_t) noexcept {
    return nullptr;
  }
  static void rethrow() noexcept {}
  template <class Action>
  static bool attempt(Action action) {
    action();
    return true;
  }
};

/// Whether a program can mean to send or receive so many elements of `Wire`: there is no more memory.
template <class Wire>
[[nodiscard]] constexpr bool can_be_meant(mpi::count_t n) noexcept {
  constexpr int bits = sizeof(void*) < 8 ? 32 : 48;  // of an address
  constexpr std::uint64_t most = (std::uint64_t{1} << bits) / sizeof(Wire);
  return static_cast<std::uint64_t>(n) <= most;
}
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_count() {
  refuse_counts(
      "a count is negative or larger than any memory, or an empty vector came without recv_count");
}

/// A number of elements that the program gives; `otherwise` where it cannot be meant, which is a
/// failure.
template <class Wire, class Failure>
[[nodiscard]] mpi::count_t meant(Failure& failure, mpi::count_t given, mpi::count_t otherwise) {
  if (can_be_meant<Wire>(given)) [[likely]]
    return given;
  failure.attempt([] { refuse_count(); });
  return otherwise;
}

template <bool Possible>
using failure_if = std::conditional_t<Possible, kept_failure, fails_at_once>;

}  // namespace mpiglot::detail

#if MPIGLOT_BODIES
#include <mpiglot/detail/base/failure.ipp>
#endif

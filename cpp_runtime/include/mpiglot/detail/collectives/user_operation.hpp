// Functions of the program as operations of MPI, which hands its own functions no extra state: a
// function that captures takes one of a number of prepared functions until the reduction is complete.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <mpiglot/detail/base/last_words.hpp>
#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/error.hpp>
#include <mpiglot/mpi/handles.hpp>

namespace mpiglot::detail {

/// A place for one function with what it captures, found by the number of a prepared function.
struct operation_slot {
  static constexpr int count = 64;

  void (*call)(operation_slot& mine, const void* in, void* in_out, int n) = nullptr;
  void* function = nullptr;
  bool taken = false;

  template <int I>
  static void prepared(void* in, void* in_out, int* n, MPI_Datatype*) noexcept;
  template <int... I>
  static MPI_User_function* prepared_at(int i, std::integer_sequence<int, I...>) noexcept {
    static constexpr MPI_User_function* functions[] = {&prepared<I>...};
    return functions[i];
  }

  /// The number of a free place, or -1.
  [[nodiscard]] static int take() noexcept;
};

inline constinit operation_slot operation_slots[operation_slot::count]{};

template <int I>
void operation_slot::prepared(void* in, void* in_out, int* n, MPI_Datatype*) noexcept {
  operation_slots[I].call(operation_slots[I], in, in_out, *n);
}
inline int operation_slot::take() noexcept {
  for (int i = 0; i < count; ++i)
    if (!__atomic_test_and_set(&operation_slots[i].taken, __ATOMIC_ACQUIRE)) return i;
  return -1;
}

/// Combines `n` elements with those at `in_out`, where the results are then.
template <class Element, class Function>
[[gnu::always_inline]] inline void combine_elements(Function& function, const void* in,
                                                    void* in_out, std::int64_t n) {
  if constexpr (alignof(Element) <= alignof(std::max_align_t)) {
    const auto* a = static_cast<const Element*>(in);
    auto* b = static_cast<Element*>(in_out);
    for (std::int64_t i = 0; i < n; ++i) b[i] = static_cast<Element>(function(a[i], b[i]));
  } else {  // memory of MPI is not so aligned
    alignas(Element) std::byte copies[2][sizeof(Element)];
    auto& a = *reinterpret_cast<const Element*>(copies[0]);
    auto& b = *reinterpret_cast<Element*>(copies[1]);
    for (std::int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i) * sizeof(Element);
      std::memcpy(copies[0], static_cast<const std::byte*>(in) + at, sizeof(Element));
      std::memcpy(copies[1], static_cast<std::byte*>(in_out) + at, sizeof(Element));
      b = static_cast<Element>(function(a, b));
      std::memcpy(static_cast<std::byte*>(in_out) + at, copies[1], sizeof(Element));
    }
  }
}

/// What stands before the elements of a reduction whose function may throw (flagged.hpp). Where they have no
/// value, a text that says why stands in their place, ended by a zero.
struct flag {
  static constexpr std::size_t unit = 16;        // all sizes are multiples of it
  static constexpr std::size_t least_text = 48;  // that there is room for

  // r + 1: the function threw on rank r. -1 - r: rank r could not give its elements.
  std::int32_t failed = 0;
  std::int32_t written = 0;
  std::int64_t elements = 0;

  [[nodiscard]] static flag of(const void* part) noexcept {
    flag read;
    std::memcpy(&read, part, sizeof read);
    return read;
  }
  [[nodiscard]] static const char* text_of(const void* part) noexcept {
    return static_cast<const char*>(part) + sizeof(flag);
  }
  /// The datatype of a part of `size` bytes.
  [[nodiscard, gnu::cold]] static mpi::unique_datatype type_of(std::size_t size);
};
static_assert(sizeof(flag) == flag::unit);

/// Writes that the function threw the exception that is being handled.
[[gnu::cold]] void flag_exception(void* part, std::size_t size, int rank) noexcept;
/// Throws if the elements have no value.
void require_value(const void* part);

/// A function that may throw, of parts of `size` bytes: a flag and elements.
template <class Function, class Element>
struct flagging {
  Function function;
  std::size_t size = 0;
  int rank = 0;

  void combine_flagged(const void* in, void* in_out, int n) noexcept {
    const auto* a = static_cast<const std::byte*>(in);
    auto* b = static_cast<std::byte*>(in_out);
    for (; n > 0; --n, a += size, b += size) {
      const flag of_a = flag::of(a), of_b = flag::of(b);
      if (of_a.failed != 0 || of_b.failed != 0) [[unlikely]] {
        if (of_b.failed == 0) std::memcpy(b, a, size);
        continue;
      }
#if defined(__cpp_exceptions)
      try {
#endif
        combine_elements<Element>(function, a + sizeof(flag), b + sizeof(flag), of_a.elements);
#if defined(__cpp_exceptions)
      } catch (...) {
        flag_exception(b, size, rank);
      }
#endif
    }
  }
};

[[gnu::noinline]] inline void free_operation(mpi::op_handle operation) noexcept {
  static_cast<void>(mpi::unique_op(operation).reset());
}

/// MPI's operation for a function of the program, from here until the reduction is complete.
/// `Operation::name` is the reduction.
template <class Function, class Element, class Operation>
class user_operation {
  static constexpr bool captures_nothing =
      std::is_empty_v<Function> && std::is_default_constructible_v<Function>;

 public:
  user_operation(Function&& function, bool commutes) {
    if constexpr (captures_nothing) {
      static_cast<void>(function);
      create(&combine_without_captures, commutes);
    } else {
      keeping kept{new_to_take_part<Function>(static_cast<Function&&>(function))};
      slot_ = operation_slot::take();
      if (slot_ < 0) [[unlikely]]
        refuse_argument(MPI_ERR_NO_MEM,
                        "too many reductions with functions that capture are pending");
      auto& mine = operation_slots[slot_];
      mine.function = kept.function;
      mine.call = &combine;
      kept.slot = slot_;
      create(operation_slot::prepared_at(slot_,
                                         std::make_integer_sequence<int, operation_slot::count>()),
             commutes);
      kept.function = nullptr;
      kept.slot = -1;
    }
  }
  user_operation(user_operation&& other) noexcept
      : handle_(std::exchange(other.handle_, {})), slot_(std::exchange(other.slot_, -1)) {}
  user_operation& operator=(user_operation&&) = delete;
  ~user_operation() {
    if (handle_) free_operation(handle_);
    if constexpr (captures_nothing) return;
    if (slot_ < 0) return;
    auto& mine = operation_slots[slot_];
    delete static_cast<Function*>(mine.function);
    __atomic_clear(&mine.taken, __ATOMIC_RELEASE);
  }

  /// False if the function may refer to memory of the caller: what it captures has room for an address.
  static constexpr bool keeps_memory = captures_nothing || sizeof(Function) < sizeof(void*);

  [[nodiscard]] mpi::op_handle handle() const noexcept { return handle_; }
  /// The function, where it captures something.
  [[nodiscard]] Function& captured() const noexcept {
    return *static_cast<Function*>(operation_slots[slot_].function);
  }

 private:
  // Until MPI has made the operation.
  struct keeping {
    Function* function;
    int slot = -1;
    ~keeping() {
      delete function;
      if (slot >= 0) __atomic_clear(&operation_slots[slot].taken, __ATOMIC_RELEASE);
    }
  };

  void create(MPI_User_function* function, bool commutes) {
    mpi::detail::check(MPIGLOT_MPI(MPI_Op_create)(function, commutes ? 1 : 0, &handle_.native),
                       "MPI_Op_create");
  }

  // MPI allows no message from here, so nobody else can be told of an exception but by the end of the job.
  static void apply(Function& called, const void* in, void* in_out, int n) noexcept {
    if constexpr (requires { called.combine_flagged(in, in_out, n); }) {
      called.combine_flagged(in, in_out, n);
    } else {
#if defined(__cpp_exceptions)
      try {
#endif
        combine_elements<Element>(called, in, in_out, n);
#if defined(__cpp_exceptions)
      } catch (...) {
        end_job_for_function_of(Operation::name);
      }
#endif
    }
  }
  static void combine(operation_slot& mine, const void* in, void* in_out, int n) noexcept {
    apply(*static_cast<Function*>(mine.function), in, in_out, n);
  }
  static void combine_without_captures(void* in, void* in_out, int* n, MPI_Datatype*) noexcept {
    if constexpr (captures_nothing) {
      Function function{};
      apply(function, in, in_out, *n);
    }
  }

  mpi::op_handle handle_{};
  int slot_ = -1;
};

}  // namespace mpiglot::detail

#if MPIGLOT_BODIES
#include <mpiglot/detail/collectives/user_operation.ipp>
#endif

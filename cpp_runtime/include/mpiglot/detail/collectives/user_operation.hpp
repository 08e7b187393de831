// Functions of the program as operations of MPI, which hands its own functions no extra state: a
// function that captures takes one of a number of prepared functions until the reduction is complete.

#pragma once

#include <cstddef>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#include <mpiglot/error.hpp>
#include <mpiglot/mpi/handles.hpp>
#include <mpiglot/mpi/spin_lock.hpp>

namespace mpiglot::detail {

/// How many functions of reductions have thrown by now, on this rank.
inline constinit unsigned functions_that_threw = 0;

/// The last that a function has thrown. It must not cross MPI: it is thrown when the reduction is
/// complete on this rank.
class thrown_in_reduction {
 public:
  /// Keeps the exception that is being handled.
  [[gnu::cold, gnu::noinline]] void keep() noexcept {
    const mpi::detail::spin_lock lock(busy_);
    if (error_ == nullptr) error_ = new (memory_) std::exception_ptr;
    *error_ = std::current_exception();
    when_ = __atomic_add_fetch(&functions_that_threw, 1, __ATOMIC_RELEASE);
  }
  /// Throws what was thrown after `functions_that_threw` had this value.
  [[gnu::cold, gnu::noinline]] void rethrow_after(unsigned before) {
    std::exception_ptr error;
    {
      const mpi::detail::spin_lock lock(busy_);
      if (error_ != nullptr && static_cast<int>(when_ - before) > 0) error = *error_;
    }
    if (error) std::rethrow_exception(error);
  }

 private:
  alignas(std::exception_ptr) std::byte memory_[sizeof(std::exception_ptr)]{};
  std::exception_ptr* error_ = nullptr;  // there, from the first exception on
  unsigned when_ = 0;
  bool busy_ = false;
};

/// A place for one function with what it captures, found by the number of a prepared function.
struct operation_slot {
  static constexpr int count = 64;

  void (*call)(operation_slot& mine, const void* in, void* in_out, int n) = nullptr;
  void* function = nullptr;
  bool taken = false;
  thrown_in_reduction thrown;

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

[[gnu::noinline]] inline void free_operation(mpi::op_handle operation) noexcept {
  static_cast<void>(mpi::unique_op(operation).reset());
}

/// MPI's operation for a function of the program, from here until the reduction is complete.
template <class Function, class Element>
class user_operation {
  static constexpr bool captures_nothing =
      std::is_empty_v<Function> && std::is_default_constructible_v<Function>;

 public:
  user_operation(Function&& function, bool commutes) {
    if constexpr (captures_nothing) {
      static_cast<void>(function);
      create(&combine_without_captures, commutes);
    } else {
      keeping kept{new Function(static_cast<Function&&>(function))};
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
      kept = {nullptr};
    }
  }
  user_operation(user_operation&& other) noexcept
      : handle_(std::exchange(other.handle_, {})),
        slot_(std::exchange(other.slot_, -1)),
        before_(other.before_) {}
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

  /// Before each reduction with this operation.
  void begin() noexcept { before_ = __atomic_load_n(&functions_that_threw, __ATOMIC_RELAXED); }
  /// After it: throws what the function has thrown on this rank. MPI does not say for which reduction it
  /// calls a function without captures: all throw that are pending at that time.
  void rethrow() const {
    if (__atomic_load_n(&functions_that_threw, __ATOMIC_ACQUIRE) != before_) [[unlikely]]
      thrown().rethrow_after(before_);
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

  static inline constinit thrown_in_reduction thrown_without_captures{};

  [[nodiscard]] thrown_in_reduction& thrown() const noexcept {
    if constexpr (captures_nothing)
      return thrown_without_captures;
    else
      return operation_slots[slot_].thrown;
  }

  // Elements after one that failed stay as they are.
  static void apply(Function& function, [[maybe_unused]] thrown_in_reduction& thrown,
                    const void* in, void* in_out, int n) noexcept {
    const auto* a = static_cast<const Element*>(in);
    auto* b = static_cast<Element*>(in_out);
#if defined(__cpp_exceptions)
    try {
#endif
      for (int i = 0; i < n; ++i) b[i] = static_cast<Element>(function(a[i], b[i]));
#if defined(__cpp_exceptions)
    } catch (...) {
      thrown.keep();
    }
#endif
  }
  static void combine(operation_slot& mine, const void* in, void* in_out, int n) noexcept {
    apply(*static_cast<Function*>(mine.function), mine.thrown, in, in_out, n);
  }
  static void combine_without_captures(void* in, void* in_out, int* n, MPI_Datatype*) noexcept {
    if constexpr (captures_nothing) {
      Function function{};
      apply(function, thrown_without_captures, in, in_out, *n);
    }
  }

  mpi::op_handle handle_{};
  int slot_ = -1;
  unsigned before_;  // set by `begin`
};

}  // namespace mpiglot::detail

// Functions of the program as operations of MPI, which hands its own functions no extra state: a
// function that captures takes one of a number of prepared functions until the reduction is complete.

#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <mpiglot/detail/base/last_words.hpp>
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
  static void apply(Function& function, const void* in, void* in_out, int n) noexcept {
    const auto* a = static_cast<const Element*>(in);
    auto* b = static_cast<Element*>(in_out);
#if defined(__cpp_exceptions)
    try {
#endif
      for (int i = 0; i < n; ++i) b[i] = static_cast<Element>(function(a[i], b[i]));
#if defined(__cpp_exceptions)
    } catch (...) {
      end_job_for_function_of(Operation::name);
    }
#endif
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

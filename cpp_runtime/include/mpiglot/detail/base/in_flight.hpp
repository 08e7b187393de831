// What becomes of a pending operation whose request is destroyed, and the words of the exception that
// did it. An exception that unwinds past a request ends the job only if the memory that MPI uses dies
// with it.

#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include <mpiglot/mpi/handles.hpp>

namespace mpiglot::detail {

/// True after MPI_Finalize: destructors must not call MPI then.
[[nodiscard, gnu::cold]] bool mpi_is_over() noexcept;

/// Whether an exception is on its way. Only asked where an operation is still pending: a destructor
/// that runs during unwinding and drops a pending request of its own is taken for unwinding, too.
[[nodiscard]] bool unwinding() noexcept;

/// Prints what the exception in flight says. It counts as caught afterwards: the job must end.
[[gnu::cold]] void tell_exception_in_flight() noexcept;

/// An operation that an exception has left, with the state that owns the memory which MPI uses.
struct operation_left {
  operation_left() noexcept = default;
  operation_left(const operation_left&) = delete;
  operation_left& operator=(const operation_left&) = delete;
  virtual ~operation_left() = default;

  mpi::request_handle handle;
  const char* name = nullptr;
  operation_left* next = nullptr;
};
template <class Holder>
struct operation_left_with final : operation_left {
  explicit operation_left_with(Holder&& from) noexcept : held(static_cast<Holder&&>(from)) {}
  Holder held;
};

/// Keeps an operation until MPI has completed it, at the latest until MPI_Finalize. That names the
/// operations which are still pending then.
[[gnu::cold]] void keep_until_complete(operation_left* left) noexcept;

/// Makes what this thread has in flight end, without the other ranks; says whether it did. Null where there is no such
/// way (plugins/fault_tolerance.hpp).
using in_flight_ender = bool() noexcept;
[[gnu::visibility("default")]] inline constinit in_flight_ender* ends_in_flight = nullptr;

/// What can be done about a pending operation without its memory. Returns true if it is complete
/// then: where no exception unwinds it is waited for, a receive is cancelled, and anything else may
/// have been complete already.
[[nodiscard, gnu::cold]] bool completed_or_cancelled(mpi::request_handle& handle,
                                                     bool cancellable) noexcept;

/// Ends the job: memory that MPI uses is about to go.
[[noreturn, gnu::cold]] void end_job_for(const char* name) noexcept;

/// True if the memory that MPI uses belongs to this state. It is the caller's where that is not known.
template <class State>
[[nodiscard]] bool keeps_memory_of(const State& state) noexcept {
  if constexpr (requires { state.keeps_memory(); })
    return state.keeps_memory();
  else
    return false;
}

/// Leaves no operation pending that uses memory of the caller, which is about to go. (The handle by
/// value: a request whose address is known elsewhere would have to lie in memory, which is most of what
/// it costs.)
[[gnu::cold]] void leave(mpi::request_handle handle, bool cancellable, const char* name) noexcept;

/// The same of an operation whose state owns the memory. Returns true if both are kept, with the handle.
template <class Holder>
[[gnu::cold, gnu::noinline]] bool leave_with(Holder held, mpi::request_handle handle,
                                             bool cancellable, const char* name) noexcept {
  if (completed_or_cancelled(handle, cancellable)) return false;
  auto* const left = new (std::nothrow) operation_left_with<Holder>(std::move(held));
  if (left == nullptr) {
    end_job_for(name);
    return false;
  }
  left->handle = handle;
  left->name = name;
  keep_until_complete(left);
  return true;
}

/// Ends a persistent operation for good; `with_nobody` says that its peer was MPI_PROC_NULL.
[[gnu::cold]] void free_prepared(mpi::request_handle handle, bool with_nobody) noexcept;

class kept_failure;
/// Prints what the destructor of a pool cannot throw.
[[gnu::cold]] void tell_dropped(kept_failure& failure) noexcept;
/// Prints that an exception dropped a pool, and with it the results of operations that were complete.
[[gnu::cold]] void tell_lost_results(std::size_t count) noexcept;

}  // namespace mpiglot::detail

#if MPIGLOT_BODIES
#include <mpiglot/detail/base/in_flight.ipp>
#endif

// What becomes of a pending operation whose request is destroyed, and the words of the exception that
// did it.

#pragma once

#include <cstddef>

#include <mpiglot/mpi/handles.hpp>

namespace mpiglot::detail {

/// True after MPI_Finalize: destructors must not call MPI then.
[[nodiscard, gnu::cold]] bool mpi_is_over() noexcept;

/// Whether an exception is on its way. Only asked where an operation is still pending: a destructor
/// that runs during unwinding and drops a pending request of its own is taken for unwinding, too.
[[nodiscard]] bool unwinding() noexcept;

/// Prints what the exception in flight says. It counts as caught afterwards: the job must end.
[[gnu::cold]] void tell_exception_in_flight() noexcept;

/// Deals with a pending operation while an exception unwinds, where waiting could hang: a receive is
/// cancelled, anything else ends the job, because the memory that MPI uses is about to go.
[[gnu::cold]] void cancel_or_end_job(mpi::request_handle& handle, bool cancellable,
                                     const char* name) noexcept;

/// Ends a persistent operation for good.
[[gnu::cold]] void free_prepared(mpi::request_handle handle) noexcept;

/// Leaves no operation pending that uses memory which is about to go. (The handle by value: a request
/// whose address is known elsewhere would have to lie in memory, which is most of what it costs.)
[[gnu::cold]] void abandon(mpi::request_handle handle, bool cancellable, const char* name) noexcept;

class kept_failure;
/// Prints what the destructor of a pool cannot throw.
[[gnu::cold]] void tell_dropped(kept_failure& failure) noexcept;
/// Prints that an exception dropped a pool, and with it the results of operations that were complete.
[[gnu::cold]] void tell_lost_results(std::size_t count) noexcept;

}  // namespace mpiglot::detail

#if MPIGLOT_BODIES
#include <mpiglot/detail/base/in_flight.ipp>
#endif

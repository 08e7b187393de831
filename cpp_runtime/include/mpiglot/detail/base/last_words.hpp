// Ends the job so that what this process said before is not lost.

#pragma once

#include <mpiglot/mpi/native.hpp>

namespace mpiglot::detail {

/// MPI_Abort for all processes of the job, after the error stream was read.
[[noreturn, gnu::cold]] void abort_job(int code) noexcept;

/// Ends the job when this process ends, so that whoever catches the exception that is on its way can
/// speak before.
[[gnu::cold]] void end_job_at_exit() noexcept;

/// A handler for std::set_terminate: an exception that nobody catches ends the whole job, with its
/// message. Without it only this process would end, and the launcher may take its time to notice.
[[noreturn, gnu::cold]] void end_job_with_its_message() noexcept;

/// Ends the job for the exception that is being handled: a function of a reduction threw it while MPI ran.
[[noreturn, gnu::cold]] void end_job_for_function_of(const char* operation) noexcept;

}  // namespace mpiglot::detail

#if MPIGLOT_BODIES
#include <mpiglot/detail/base/last_words.ipp>
#endif

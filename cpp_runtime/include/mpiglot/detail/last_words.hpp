// Ends the job so that what this process said before is not lost.

#pragma once

#include <mpiglot/mpi/environment.hpp>
#include <poll.h>
#include <sys/ioctl.h>

namespace mpiglot::detail {

/// Launchers forward what processes say through pipes, and some throw away what is still in them
/// when the job is aborted. Waits until the pipe of the error stream is empty, half a second at most.
[[gnu::cold, gnu::noinline]] inline void let_last_words_out() noexcept {
  for (int patience = 100, unread = 0; patience > 0; --patience) {
    if (::ioctl(2, FIONREAD, &unread) != 0 || unread <= 0) break;
    ::poll(nullptr, 0, 5);
  }
  ::poll(nullptr, 0, 20);  // what was read has yet to be passed on
}

/// MPI_Abort for all processes of the job, after the error stream was read.
[[gnu::cold, gnu::noinline]] inline void abort_job(int code) noexcept {
  let_last_words_out();
  static_cast<void>(mpi::nothrow::abort(mpi::comm_world, code));
}

}  // namespace mpiglot::detail

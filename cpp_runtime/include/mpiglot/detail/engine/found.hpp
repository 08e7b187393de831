// A message that was found before it is received: by a matched probe, and by MPI_Probe where the MPI
// has no other (SimGrid). Then a receive of another thread may take it between probe and receive.

#pragma once

#include <type_traits>

#include <mpiglot/buffer.hpp>
#include <mpiglot/detail/arguments/forms.hpp>
#include <mpiglot/mpi/available.hpp>
#include <mpiglot/mpi/calls/mrecv.hpp>
#include <mpiglot/mpi/calls/recv.hpp>
#include <mpiglot/status.hpp>

namespace mpiglot::detail {

struct unmatched_message {
  int source = 0;
  int tag = 0;
  mpi::comm_handle comm;
};

using found_message = std::conditional_t<mpi::has_mprobe, mpi::message_handle, unmatched_message>;

[[nodiscard]] inline int find_message(int source, int tag, mpi::comm_handle comm,
                                      mpi::message_handle& found, mpi::status& status) noexcept {
  return MPIGLOT_WAITING(MPI_Mprobe)(source, tag, comm.native, &found.native, &status.native);
}
[[nodiscard]] inline int find_message(int source, int tag, mpi::comm_handle comm,
                                      unmatched_message& found, mpi::status& status) noexcept {
  const int code = MPIGLOT_WAITING(MPI_Probe)(source, tag, comm.native, &status.native);
  found = {status.source(), status.tag(), comm};
  return code;
}

/// Receives it by `io`, as the engine makes calls.
void take_message(auto io, const lent& memory, mpi::message_handle found) {
  io(mpi::calls::mrecv(), memory.address, lone(memory.count), memory.type, found,
     mpi::status_out());
}
void take_message(auto io, const lent& memory, const unmatched_message& found) {
  io(mpi::calls::recv(), memory.address, lone(memory.count), memory.type, found.source, found.tag,
     found.comm, mpi::status_out());
}

/// Receives it now.
[[nodiscard]] inline int take_message_now(const lent& memory, mpi::message_handle& found,
                                          const mpi::status_out& status) noexcept {
  return mpi::calls::mrecv::now(memory.address, memory.count, memory.type, found, status);
}
[[nodiscard]] inline int take_message_now(const lent& memory, unmatched_message& found,
                                          const mpi::status_out& status) noexcept {
  return mpi::calls::recv::now(memory.address, memory.count, memory.type, found.source, found.tag,
                               found.comm, status);
}

}  // namespace mpiglot::detail

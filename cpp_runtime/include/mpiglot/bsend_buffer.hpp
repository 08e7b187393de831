// The memory that buffered sends (`comm.bsend`, `ibsend`, `bsend_init`) copy their messages to.
// MPI-4.1, section 3.6.
//
//   const bsend_buffer buffer(bsend_buffer::room_for(1000, 4));   // four messages of 1000 bytes
//   comm.bsend(send_buf(v), destination(1));                      // returns at once

#pragma once

#include <mpiglot/detail/base/in_flight.hpp>
#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/mpi/pt2pt.hpp>

namespace mpiglot {

/// Attached while it lives. One for the whole process, and since MPI 4.1 one for each communicator
/// besides. Destroyed, it waits until the messages in it have left; while an exception unwinds it
/// never waits: its memory then stays with MPI.
class bsend_buffer {
 public:
  /// Whether this MPI has buffers of single communicators.
  static constexpr bool per_communicator = mpi::has_comm_attach_buffer;

  /// The bytes that buffer `messages` messages of `bytes` bytes each.
  [[nodiscard]] static constexpr mpi::count_t room_for(mpi::count_t bytes,
                                                       mpi::count_t messages = 1) noexcept {
    // Implementations align what they put there.
    return messages * (bytes + mpi::bsend_overhead + static_cast<int>(alignof(std::max_align_t)));
  }

  /// For every communicator that has none of its own. Throws where another one is attached.
  explicit bsend_buffer(mpi::count_t bytes) : memory_(static_cast<std::size_t>(bytes)) {
    mpi::buffer_attach(memory_.data(), bytes);
  }
  /// For this communicator only. Throws `mpi::unavailable` before MPI 4.1.
  bsend_buffer(mpi::comm_handle comm, mpi::count_t bytes)
      : memory_(static_cast<std::size_t>(bytes)), communicator_(comm) {
    mpi::comm_attach_buffer(comm, memory_.data(), bytes);
  }
  bsend_buffer(const bsend_buffer&) = delete;
  bsend_buffer& operator=(const bsend_buffer&) = delete;

  ~bsend_buffer() {
    if (detail::mpi_is_over()) {
      return;
    } else if (detail::unwinding()) {
      static_cast<void>(memory_.release());
    } else if (communicator_) {
      static_cast<void>(mpi::nothrow::comm_detach_buffer(communicator_));
    } else {
      static_cast<void>(mpi::nothrow::buffer_detach());
    }
  }

  /// Waits until all messages in it have left. Before MPI 4.1 it is detached and attached again.
  void flush() {
    if constexpr (mpi::has_buffer_flush) {
      if (communicator_)
        mpi::comm_flush_buffer(communicator_);
      else
        mpi::buffer_flush();
    } else {
      static_cast<void>(mpi::buffer_detach());
      mpi::buffer_attach(memory_.data(), size());
    }
  }

  /// The bytes of the attached memory.
  [[nodiscard]] mpi::count_t size() const noexcept {
    return static_cast<mpi::count_t>(memory_.size());
  }

 private:
  detail::bytes memory_;
  mpi::comm_handle communicator_;
};

}  // namespace mpiglot

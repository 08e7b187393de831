// The attached buffer of buffered sends (`comm.bsend`, `ibsend`, `bsend_init`). MPI-4.1, section
// 3.6.
//
//   const bsend_buffer buffer(bsend_buffer::room_for(1000, 4));   // four messages of 1000 bytes
//   comm.bsend(send_buf(v), destination(1));                      // returns at once

#pragma once

#include <mpiglot/detail/base/in_flight.hpp>
#include <mpiglot/detail/base/storage.hpp>
#include <mpiglot/mpi/pt2pt.hpp>

namespace mpiglot {

/// A buffer that is attached as long as this object lives. A process can attach one buffer; since
/// MPI 4.1, each communicator can have a buffer of its own as well. The destructor waits until all
/// messages in the buffer have been sent. During stack unwinding it does not wait; MPI then keeps
/// the memory.
class bsend_buffer {
 public:
  /// True if this MPI can attach a buffer to a communicator (MPI 4.1).
  static constexpr bool per_communicator = mpi::has_comm_attach_buffer;

  /// Returns the buffer size in bytes for `messages` messages of `bytes` bytes each.
  [[nodiscard]] static constexpr mpi::count_t room_for(mpi::count_t bytes,
                                                       mpi::count_t messages = 1) noexcept {
    // Implementations align each message in the buffer.
    return messages * (bytes + mpi::bsend_overhead + static_cast<int>(alignof(std::max_align_t)));
  }

  /// Attaches a buffer of `bytes` bytes for all communicators that have no buffer of their own.
  /// Throws if another one is attached already.
  explicit bsend_buffer(mpi::count_t bytes) : memory_(static_cast<std::size_t>(bytes)) {
    mpi::buffer_attach(memory_.data(), bytes);
  }
  /// Attaches a buffer of `bytes` bytes to this communicator only. Throws `mpi::unavailable` before
  /// MPI 4.1.
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

  /// Waits until all messages in the buffer have been sent. Before MPI 4.1, it detaches the buffer
  /// and attaches it again.
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

  /// The size of the attached buffer in bytes.
  [[nodiscard]] mpi::count_t size() const noexcept {
    return static_cast<mpi::count_t>(memory_.size());
  }

 private:
  detail::bytes memory_;
  mpi::comm_handle communicator_;
};

}  // namespace mpiglot

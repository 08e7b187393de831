// A message that was matched by a probe. Only its owner can receive it; no other receive matches
// it. MPI-4.1, section 3.8.3.
//
//   auto message = comm.mprobe(source(mpi::any_source));
//   auto words = message.recv(recv_buf(as_deserializable<dictionary>()));

#pragma once

#include <mpiglot/detail/engine/arrival.hpp>
#include <mpiglot/operations/mrecv.hpp>
#include <mpiglot/status.hpp>

namespace mpiglot {

/// Owns a matched message. Movable, not copyable. If the message has not been received, the
/// destructor receives and discards it, because its sender may wait for that.
class matched_message {
 public:
  matched_message(const detail::group_view& group, mpi::message_handle message,
                  const mpi::status& status) noexcept
      : group_(group), message_(message), status_(status) {
    group_.core = nullptr;  // the communicator object may be destroyed before the message
  }
  matched_message(matched_message&& other) noexcept
      : group_(other.group_), message_(std::exchange(other.message_, {})), status_(other.status_) {}
  matched_message& operator=(matched_message&& other) noexcept {
    if (this == &other) return *this;
    drop();
    group_ = other.group_;
    message_ = std::exchange(other.message_, {});
    status_ = other.status_;
    return *this;
  }
  ~matched_message() { drop(); }

  /// True if the message has not been received yet.
  [[nodiscard]] bool pending() const noexcept { return static_cast<bool>(message_); }

  /// The rank of the sender.
  [[nodiscard]] int source() const noexcept { return status_.source(); }
  /// The tag of the message.
  [[nodiscard]] int tag() const noexcept { return status_.tag(); }
  /// The status returned by the probe.
  [[nodiscard]] const mpiglot::status& status() const noexcept { return status_; }
  /// The number of elements of type `T` in the message; `mpi::undefined` if its size is not a
  /// multiple of theirs.
  template <class T>
  [[nodiscard]] count_t count() const {
    return status_.count<T>();
  }

  /// Receives the message. Call it once. Parameters: recv_buf; recv_type. Values on request:
  /// recv_count_out, status_out. The length of the message is known, in the nonblocking form too.
  template <class... A>
  auto recv(A&&... a) {
    using call = operations::mrecv::call<matched_message, detail::now, A...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(group_, *this, static_cast<A&&>(a)...);
  }
  /// Nonblocking form of `recv`. Returns a request.
  template <class... A>
  auto irecv(A&&... a) {
    using call = operations::mrecv::call<matched_message, detail::later, A...>;
    using right [[maybe_unused]] = typename detail::judged<typename call::verdict>::is_right;
    return call::perform(group_, *this, static_cast<A&&>(a)...);
  }

  /// Gives up ownership and returns the MPI handle; the caller must receive the message.
  [[nodiscard]] mpi::message_handle release() noexcept { return std::exchange(message_, {}); }

 private:
  void drop() noexcept {
    if (!message_) return;
    if (!detail::mpi_is_over()) detail::drain(message_, status_);
    message_ = {};
  }

  detail::group_view group_;
  mpi::message_handle message_;
  mpiglot::status status_;
};

}  // namespace mpiglot

// A message that was matched by a probe and waits to be received by whoever holds it, so that no
// other receive takes it. MPI-4.1, section 3.8.3.
//
//   auto message = comm.mprobe(source(mpi::any_source));
//   auto words = message.recv(recv_buf(as_deserializable<dictionary>()));

#pragma once

#include <mpiglot/detail/engine/arrival.hpp>
#include <mpiglot/operations/mrecv.hpp>
#include <mpiglot/status.hpp>

namespace mpiglot {

/// Owns the message; moved, not copied. Dropped, it is received and thrown away: its sender may wait
/// for that (and does not depend on anything else then).
class matched_message {
 public:
  matched_message(const detail::group_view& group, mpi::message_handle message,
                  const mpi::status& status) noexcept
      : group_(group), message_(message), status_(status) {
    group_.core = nullptr;  // the communicator's object may be gone before the message
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

  /// Whether it can still be received.
  [[nodiscard]] bool pending() const noexcept { return static_cast<bool>(message_); }

  /// The rank that sent it.
  [[nodiscard]] int source() const noexcept { return status_.source(); }
  /// The tag of the message.
  [[nodiscard]] int tag() const noexcept { return status_.tag(); }
  /// The status that the probe gave.
  [[nodiscard]] const mpiglot::status& status() const noexcept { return status_; }
  /// How many `T` it has, or `mpi::undefined` if that is no whole number.
  template <class T>
  [[nodiscard]] count_t count() const {
    return status_.count<T>();
  }

  /// Receives it. Parameters: recv_buf; recv_type. Asked for: recv_count_out, status_out. The length
  /// is known in every form. Once.
  template <class... A>
  auto recv(A&&... a) {
    using call = operations::mrecv::call<matched_message, detail::now, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(group_, *this, static_cast<A&&>(a)...);
  }
  /// As `recv`, nonblocking: gives a request.
  template <class... A>
  auto irecv(A&&... a) {
    using call = operations::mrecv::call<matched_message, detail::later, A...>;
    static_assert(detail::is_right<typename call::verdict>, "mpiglot: the verdict says why");
    return call::perform(group_, *this, static_cast<A&&>(a)...);
  }

  /// MPI's handle, which the caller receives with.
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

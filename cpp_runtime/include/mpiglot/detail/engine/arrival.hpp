// How long a message is.

#pragma once

#include <cstdlib>

#include <mpiglot/buffer.hpp>
#include <mpiglot/detail/engine/found.hpp>
#include <mpiglot/mpi/calls/get_count.hpp>
#include <mpiglot/status.hpp>

namespace mpiglot::detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_odd_length() {
  refuse_counts("a message is no whole number of elements, or longer than MPI can count");
}

/// The elements of `type` that arrived; negative if that is no whole number, or more than an int
/// counts where MPI is asked for one.
[[nodiscard]] inline count_t elements_in(const mpi::status& status,
                                         mpi::datatype_handle type) noexcept {
  count_t n = 0;
  static_cast<void>(mpi::calls::get_count::now(status, type, n));
  return n;
}

[[nodiscard, gnu::cold, gnu::noinline]] inline count_t many_arrived(const mpi::status& status,
                                                                    mpi::datatype_handle type) {
  const count_t n = many_whole_elements(status, type);
  if (n < 0) refuse_odd_length();
  return n;
}

/// The elements of `type` that arrived. Throws if that is no whole number.
[[nodiscard]] inline count_t arrived(const mpi::status& status, mpi::datatype_handle type) {
  const count_t n = elements_in(status, type);
  if (n < 0) [[unlikely]]
    return many_arrived(status, type);
  return n;
}

/// Receives a message and throws it away, so that its sender does not wait for ever.
template <class Message>
[[gnu::cold, gnu::noinline]] void drain(Message message, const mpi::status& status) noexcept {
  const mpi::datatype_handle byte{MPI_BYTE};
  const count_t size = many_whole_elements(status, byte);
  void* const scratch = std::malloc(size > 0 ? static_cast<std::size_t>(size) : 1);
  if (scratch == nullptr) return;
  static_cast<void>(
      take_message_now({scratch, size > 0 ? size : 0, byte}, message, mpi::status_out()));
  std::free(scratch);
}

/// The same of a message that was probed, or -1 if that is no whole number: it is gone then.
template <class Message>
[[nodiscard, gnu::cold, gnu::noinline]] count_t many_or_drain(const mpi::status& status,
                                                              mpi::datatype_handle type,
                                                              Message& message) noexcept {
  const count_t n = many_whole_elements(status, type);
  if (n >= 0) return n;
  drain(message, status);
  message = {};
  return -1;
}
template <class Message>
[[nodiscard]] count_t length_or_drain(const mpi::status& status, mpi::datatype_handle type,
                                      Message& message) noexcept {
  const count_t n = elements_in(status, type);
  if (n < 0) [[unlikely]]
    return many_or_drain(status, type, message);
  return n;
}

}  // namespace mpiglot::detail

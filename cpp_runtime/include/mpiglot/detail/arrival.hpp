// How long a message is.

#pragma once

#include <cstdlib>

#include <mpiglot/buffer.hpp>
#include <mpiglot/mpi/datatypes.hpp>
#include <mpiglot/mpi/pt2pt.hpp>

namespace mpiglot::detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_odd_length() {
  refuse_counts("a message is no whole number of elements, or longer than MPI can count");
}

/// The elements of `type` that arrived. Throws if that is no whole number.
[[nodiscard]] inline count_t arrived(const mpi::status& status, mpi::datatype_handle type) {
  const auto count = mpi::nothrow::get_count(status, type);
  if (count.value < 0) [[unlikely]] refuse_odd_length();
  return count.value;
}

/// Receives a matched message and throws it away, so that its sender does not wait for ever.
[[gnu::cold, gnu::noinline]] inline void drain(mpi::message_handle message,
                                               const mpi::status& status) noexcept {
  const count_t size = mpi::nothrow::get_count(status, mpi::byte).value;
  void* const scratch = std::malloc(size > 0 ? static_cast<std::size_t>(size) : 1);
  if (scratch == nullptr) return;
  static_cast<void>(mpi::nothrow::mrecv(scratch, size > 0 ? size : 0, mpi::byte, message));
  std::free(scratch);
}

/// The elements in a message that was probed, or -1 if they are no whole number: it is gone then.
[[nodiscard]] inline count_t length_or_drain(const mpi::status& status, mpi::datatype_handle type,
                                             mpi::message_handle& message) noexcept {
  const count_t n = mpi::nothrow::get_count(status, type).value;
  if (n >= 0) [[likely]] return n;
  drain(message, status);
  message = {};
  return -1;
}

}  // namespace mpiglot::detail

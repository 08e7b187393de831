// How long a message is.

#pragma once

#include <mpiglot/buffer.hpp>
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

/// The room that a probed message needs, in elements. One that is no whole number of them is odd: it
/// is received all the same, so that its sender does not wait for ever, and refused afterwards.
struct probed_length {
  count_t room;
  bool odd;
};
[[gnu::cold, gnu::noinline]] inline probed_length odd_length(const mpi::status& status,
                                                             mpi::datatype_handle type) noexcept {
  const count_t size = mpi::nothrow::get_count(status, mpi::byte).value;
  const count_t each = mpi::nothrow::type_size(type).value;
  return {each > 0 && size > 0 ? size / each + 1 : 0, true};
}
[[nodiscard]] inline probed_length length_of(const mpi::status& status,
                                             mpi::datatype_handle type) noexcept {
  const count_t n = mpi::nothrow::get_count(status, type).value;
  if (n < 0) [[unlikely]] return odd_length(status, type);
  return {n, false};
}

}  // namespace mpiglot::detail

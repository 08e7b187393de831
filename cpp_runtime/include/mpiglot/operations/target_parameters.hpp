// The parameters that name the target of a one-sided access.

#pragma once

#include <mpiglot/parameters.hpp>

namespace mpiglot {

namespace keys {
struct target_rank {};
struct window_targets {};
struct target_displacement {};
struct target_count {};
struct target_type {};
struct compare_buf : buffer {};
}  // namespace keys

/// The rank whose memory is accessed.
[[nodiscard]] inline parameter<keys::target_rank, int> target_rank(int rank) { return {rank}; }
/// The position in the target memory where the access begins, in units of the window; in a dynamic
/// window, an address.
[[nodiscard]] inline parameter<keys::target_displacement, mpi::aint_t> target_displacement(
    mpi::aint_t displacement) {
  return {displacement};
}
/// The number of elements at the target. Default: the number of elements of the local buffer.
[[nodiscard]] inline parameter<keys::target_count, count_t> target_count(count_t n) { return {n}; }
parameter<keys::target_rank, int> target_rank(detail::no_whole_number auto) = delete;
parameter<keys::target_displacement, int> target_displacement(detail::no_whole_number auto) =
    delete;
parameter<keys::target_count, int> target_count(detail::no_whole_number auto) = delete;
/// The datatype of the elements at the target. Default: the datatype of the local buffer.
[[nodiscard]] inline parameter<keys::target_type, mpi::datatype_handle> target_type(
    mpi::datatype_handle type) {
  return {type};
}
/// The value with which the target memory is compared.
template <class Value>
[[nodiscard]] parameter<keys::compare_buf, Value> compare_buf(Value&& value) {
  return {static_cast<Value&&>(value)};
}

}  // namespace mpiglot

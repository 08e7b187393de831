// Parameters of point-to-point operations only.

#pragma once

#include <mpiglot/parameters.hpp>

namespace mpiglot {

namespace keys {
struct send_tag {};
struct recv_tag {};
struct partitions {};
}  // namespace keys

/// The tag of the message sent, in operations that also receive. Default: the value of `tag`, or 0.
[[nodiscard]] inline parameter<keys::send_tag, int> send_tag(int number) { return {number}; }
/// The tag of the message received, in operations that also send. Default: the value of `tag`, or
/// any.
[[nodiscard]] inline parameter<keys::recv_tag, int> recv_tag(int number) { return {number}; }

/// The number of equal partitions of the buffer, which become ready and arrive one by one.
[[nodiscard]] inline parameter<keys::partitions, int> partitions(int number) { return {number}; }
parameter<keys::send_tag, int> send_tag(detail::no_whole_number auto) = delete;
parameter<keys::recv_tag, int> recv_tag(detail::no_whole_number auto) = delete;
parameter<keys::partitions, int> partitions(detail::no_whole_number auto) = delete;

}  // namespace mpiglot
